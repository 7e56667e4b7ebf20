"""Readers of other people's runs."""
