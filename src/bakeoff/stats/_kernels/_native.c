/* The C path of the resampling kernels: the same random words and the same sums as _numpy.py, faster.
 *
 * One block is 64 replicates side by side: a table of counts has one line of 64 bytes (one cache line) per unit. A unit
 * is a row or a cluster of rows. _plan.py proves that every kept lane is an exact multinomial draw.
 *
 * Written with the vectors of GCC and Clang, which compile to whatever the machine has; on x86-64 each hot loop is
 * compiled three times and the AVX-512 or AVX2 version chosen at run time. Without these compilers plain loops do the same.
 * Python's limited API only: one binary serves every Python from 3.11 on. The lock is released while kernels run.
 */
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#define PY_SSIZE_T_CLEAN
#define _DEFAULT_SOURCE /* mmap and madvise beside strict C11 */
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) && !defined(BAKEOFF_PLAIN)
#define HAVE_VECTORS 1
#endif
#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define INLINE static inline
#define PREFETCH(address) ((void)0)
#endif
#if defined(__GNUC__) && defined(__x86_64__) && !defined(BAKEOFF_PLAIN)
#define HAVE_AVX2_CLONE 1
#define AVX2 __attribute__((target("avx2,bmi,popcnt")))
#define AVX512 __attribute__((target("avx2,bmi,popcnt,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")))
#include <immintrin.h>
#endif
#if !defined(_WIN32)
#define HAVE_THREADS 1
#include <pthread.h>
#include <sys/mman.h>
#endif

enum { LANES = 64, STREAMS = 8, CUTS = 5, RESIDUALS = 24, MAX_COUNT = 31 };
enum { LINES = 62, DIGITS = 3, CODED = 4, SIGN_LANES = 1024, WARM_UP = 12 };

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)

/* ---------------------------------------------------------------- random words (see _streams.py) */

INLINE uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

INLINE uint64_t hashed(uint64_t key, uint64_t index) { return mix((index + 1) * GOLDEN + key); }

/* floor(word * bound / 2^64) for bound < 2^32 */
INLINE uint64_t uniform_below(uint64_t word, uint64_t bound) {
    return ((word >> 32) * bound + (((word & 0xFFFFFFFFu) * bound) >> 32)) >> 32;
}

#if HAVE_VECTORS
typedef uint64_t words4 __attribute__((vector_size(32)));
typedef int8_t bytes32 __attribute__((vector_size(32)));
typedef uint8_t ubytes32 __attribute__((vector_size(32)));
typedef uint16_t shorts16 __attribute__((vector_size(32)));
typedef uint32_t ints8 __attribute__((vector_size(32)));

/* Eight SFC64 generators: stream j fills bytes 8j ... 8j + 7 of a line. */
typedef struct { words4 a[2], b[2], c[2]; uint64_t counter; } streams_t;

INLINE bytes32 step(words4 *a, words4 *b, words4 *c, words4 counter) {
    words4 word = *a + *b + counter;
    *a = *b ^ (*b >> 11);
    *b = *c + (*c << 3);
    *c = ((*c << 24) | (*c >> 40)) + word;
    return (bytes32)word;
}

INLINE void next_line(streams_t *s, bytes32 out[2]) {
    words4 counter = {s->counter, s->counter, s->counter, s->counter};
    for (int h = 0; h < 2; h++) out[h] = step(&s->a[h], &s->b[h], &s->c[h], counter);
    s->counter++;
}
#define STREAM_WORD(s, part, j) ((s)->part[(j) / 4][(j) % 4])
#else
typedef struct { uint64_t a[STREAMS], b[STREAMS], c[STREAMS], counter; } streams_t;

INLINE void next_line(streams_t *s, int8_t *out) {
    uint64_t words[STREAMS];
    for (int j = 0; j < STREAMS; j++) {
        words[j] = s->a[j] + s->b[j] + s->counter;
        s->a[j] = s->b[j] ^ (s->b[j] >> 11);
        s->b[j] = s->c[j] + (s->c[j] << 3);
        s->c[j] = ((s->c[j] << 24) | (s->c[j] >> 40)) + words[j];
    }
    s->counter++;
    memcpy(out, words, LANES);
}
#define STREAM_WORD(s, part, j) ((s)->part[j])
#endif

/* The seeds of a block: three words for each stream, then two hash keys. */
static void seed_block(streams_t *s, uint64_t keys[2], uint64_t seed, uint64_t block) {
    uint64_t base = mix(seed ^ mix(block + 1)), word = 0;
    for (int j = 0; j < STREAMS; j++) {
        STREAM_WORD(s, a, j) = mix(base + (++word) * GOLDEN);
        STREAM_WORD(s, b, j) = mix(base + (++word) * GOLDEN);
        STREAM_WORD(s, c, j) = mix(base + (++word) * GOLDEN);
    }
    keys[0] = mix(base + (++word) * GOLDEN);
    keys[1] = mix(base + (++word) * GOLDEN);
    s->counter = 1;
#if HAVE_VECTORS
    bytes32 thrown_away[2];
#else
    int8_t thrown_away[LANES];
#endif
    for (int i = 0; i < WARM_UP; i++) next_line(s, thrown_away);
}

/* ---------------------------------------------------------------- counts */

typedef struct {
    int64_t n_strata, n_laws, n_units;
    const int64_t *starts, *law;
    const int8_t *cuts;        /* [laws, CUTS] */
    const uint64_t *residual;  /* [laws, RESIDUALS] */
    const uint8_t *guide;      /* [laws, 256]: residual count by the word's first byte, 255 where that does not settle it */
} plan_t;

/* Residual count of a random word: the number of cut-offs at or below it. */
INLINE uint8_t residual_count(const uint8_t *guide, const uint64_t *cuts, uint64_t word) {
    uint8_t k = guide[word >> 56];
    if (k == 255)
        for (k = 0; k < RESIDUALS && word >= cuts[k];) k++;
    return k;
}

#if HAVE_AVX2_CLONE
/* `step` where bytes can be shuffled: a rotation by 24 bits is one instruction. */
AVX2 static inline bytes32 step_avx2(words4 *a, words4 *b, words4 *c, words4 counter) {
    const __m256i by_three = _mm256_setr_epi8(5, 6, 7, 0, 1, 2, 3, 4, 13, 14, 15, 8, 9, 10, 11, 12, 5, 6, 7, 0, 1, 2, 3,
                                              4, 13, 14, 15, 8, 9, 10, 11, 12);
    words4 word = *a + *b + counter;
    *a = *b ^ (*b >> 11);
    *b = *c + (*c << 3);
    *c = (words4)_mm256_shuffle_epi8((__m256i)*c, by_three) + word;
    return (bytes32)word;
}
#endif

/* Lanes whose byte is above the last cut, one bit each. */
#if HAVE_AVX2_CLONE
AVX2 static inline uint64_t residual_mask_avx2(const bytes32 random[2], bytes32 last_cut) {
    uint32_t low = (uint32_t)_mm256_movemask_epi8((__m256i)(random[0] > last_cut));
    uint32_t high = (uint32_t)_mm256_movemask_epi8((__m256i)(random[1] > last_cut));
    return low | (uint64_t)high << 32;
}
#endif
#if HAVE_VECTORS
INLINE uint64_t residual_mask(const bytes32 random[2], int8_t last_cut) {
    bytes32 flags[2] = {(random[0] > last_cut) & 1, (random[1] > last_cut) & 1};
    uint64_t words[STREAMS], mask = 0;
    memcpy(words, flags, LANES);
    for (int j = 0; j < STREAMS; j++) mask |= ((words[j] * UINT64_C(0x0102040810204080)) >> 56) << (8 * j);
    return mask;
}

/* Turn one random line into counts: how many of the first four cuts each byte is above. */
INLINE void decode_line(const bytes32 random[2], const bytes32 cuts[4], uint8_t *line, ubytes32 sums[2]) {
    for (int h = 0; h < 2; h++) {
        bytes32 r = random[h];
        ubytes32 count = (ubytes32) - ((r > cuts[0]) + (r > cuts[1]) + (r > cuts[2]) + (r > cuts[3]));
        sums[h] += count;
        memcpy(line + 32 * h, &count, 32);
    }
}
#else
INLINE uint64_t residual_mask(const int8_t *random, int8_t last_cut) {
    uint64_t mask = 0;
    for (int l = 0; l < LANES; l++) mask |= (uint64_t)(random[l] > last_cut) << l;
    return mask;
}

INLINE void decode_line(const int8_t *random, const int8_t *cuts, uint8_t *line, uint8_t *sums) {
    memset(line, 0, LANES);
    for (int k = 0; k < 4; k++) /* one cut at a time: GCC 12 -O2 adds four comparisons up wrongly in its vectors */
        for (int l = 0; l < LANES; l++) line[l] = (uint8_t)(line[l] + (random[l] > cuts[k]));
    for (int l = 0; l < LANES; l++) sums[l] = (uint8_t)(sums[l] + line[l]);
}
#endif

INLINE int count_bits(uint64_t mask) {
#if defined(__GNUC__)
    return __builtin_popcountll(mask);
#else
    int n = 0;
    for (; mask; mask &= mask - 1) n++;
    return n;
#endif
}

INLINE int lowest_bit(uint64_t mask) {
#if defined(__GNUC__)
    return __builtin_ctzll(mask);
#else
    int i = 0;
    while (!((mask >> i) & 1)) i++;
    return i;
#endif
}

/* At most 62 lines of Poisson counts (62 x 4 fits the byte sums); residual places go to `positions`, return how many.
 * `wide` is a constant wherever this is compiled. */
INLINE int draw_lines_body(int wide, streams_t *streams, uint8_t *lines, int rows, const int8_t *cuts, uint8_t *sums,
                           uint32_t *positions) {
    const int8_t last_cut = cuts[4];
    int found = 0;
    (void)wide;
    (void)last_cut;
#if HAVE_VECTORS
    ubytes32 total[2] = {{0}, {0}};
    bytes32 random[2], wide_cuts[CUTS];
    words4 a0 = streams->a[0], b0 = streams->b[0], c0 = streams->c[0]; /* in registers for the length of the loop */
    words4 a1 = streams->a[1], b1 = streams->b[1], c1 = streams->c[1];
    words4 counter = {streams->counter, streams->counter, streams->counter, streams->counter};
    for (int k = 0; k < CUTS; k++) memset(&wide_cuts[k], cuts[k], sizeof wide_cuts[k]);
#else
    uint8_t total[LANES] = {0};
    int8_t random[LANES];
    const int8_t *wide_cuts = cuts;
#endif
    for (int row = 0; row < rows; row++) {
#if HAVE_VECTORS
#if HAVE_AVX2_CLONE
        if (wide) {
            random[0] = step_avx2(&a0, &b0, &c0, counter);
            random[1] = step_avx2(&a1, &b1, &c1, counter);
        } else
#endif
        {
            random[0] = step(&a0, &b0, &c0, counter);
            random[1] = step(&a1, &b1, &c1, counter);
        }
        counter += 1;
#else
        next_line(streams, random);
#endif
        decode_line(random, wide_cuts, lines + row * LANES, total);
        uint64_t mask;
#if HAVE_AVX2_CLONE
        if (wide) mask = residual_mask_avx2(random, wide_cuts[4]);
        else
#endif
            mask = residual_mask(random, last_cut);
        /* On average about one lane is residual: two places without a branch, then the rare rest. */
        const uint64_t second = mask & (mask - 1), top = UINT64_C(1) << 63;
        positions[found] = (uint32_t)(row * LANES + lowest_bit(mask | top));
        positions[found + 1] = (uint32_t)(row * LANES + lowest_bit(second | top));
        if (wide) {
            uint64_t rest = second & (second - 1);
            int at = found + 2;
            found += count_bits(mask);
            for (; rest; rest &= rest - 1) positions[at++] = (uint32_t)(row * LANES + lowest_bit(rest));
        } else {
            found += (mask != 0) + (second != 0);
            for (mask = second & (second - 1); mask; mask &= mask - 1)
                positions[found++] = (uint32_t)(row * LANES + lowest_bit(mask));
        }
    }
#if HAVE_VECTORS
    *streams = (streams_t){{a0, a1}, {b0, b1}, {c0, c1}, streams->counter + (uint64_t)rows};
#endif
    memcpy(sums, total, LANES);
    return found;
}

#if HAVE_AVX2_CLONE
/* The same with a whole line in one vector. */
AVX512 static int draw_lines_avx512(streams_t *streams, uint8_t *lines, int rows, const int8_t *cuts, uint8_t *sums,
                                    uint32_t *positions) {
    __m512i a = _mm512_loadu_si512(streams->a), b = _mm512_loadu_si512(streams->b), c = _mm512_loadu_si512(streams->c);
    __m512i counter = _mm512_set1_epi64((long long)streams->counter), total = _mm512_setzero_si512(), cut[CUTS];
    const __m512i one = _mm512_set1_epi8(1), next = _mm512_set1_epi64(1);
    int found = 0;
    for (int k = 0; k < CUTS; k++) cut[k] = _mm512_set1_epi8(cuts[k]);
    for (int row = 0; row < rows; row++) {
        const __m512i random = _mm512_add_epi64(_mm512_add_epi64(a, b), counter);
        a = _mm512_xor_si512(b, _mm512_srli_epi64(b, 11));
        b = _mm512_add_epi64(c, _mm512_slli_epi64(c, 3));
        c = _mm512_add_epi64(_mm512_rol_epi64(c, 24), random);
        counter = _mm512_add_epi64(counter, next);
        __m512i count = _mm512_maskz_mov_epi8(_mm512_cmpgt_epi8_mask(random, cut[0]), one);
        for (int k = 1; k < CODED; k++) count = _mm512_mask_add_epi8(count, _mm512_cmpgt_epi8_mask(random, cut[k]), count, one);
        _mm512_storeu_si512(lines + row * LANES, count);
        total = _mm512_add_epi8(total, count);
        const uint64_t mask = _mm512_cmpgt_epi8_mask(random, cut[CODED]), second = mask & (mask - 1), top = UINT64_C(1) << 63;
        uint64_t rest = second & (second - 1);
        positions[found] = (uint32_t)(row * LANES + lowest_bit(mask | top));
        positions[found + 1] = (uint32_t)(row * LANES + lowest_bit(second | top));
        int at = found + 2;
        found += count_bits(mask);
        for (; rest; rest &= rest - 1) positions[at++] = (uint32_t)(row * LANES + lowest_bit(rest));
    }
    _mm512_storeu_si512(streams->a, a);
    _mm512_storeu_si512(streams->b, b);
    _mm512_storeu_si512(streams->c, c);
    streams->counter += (uint64_t)rows;
    _mm512_storeu_si512(sums, total);
    return found;
}
#endif

/* Add the units a lane still misses, each uniform within its stratum. */
static void add_units(uint8_t *table, int64_t start, int64_t size, const int64_t *missing, uint64_t key) {
    for (int l = 0; l < LANES; l++)
        for (int64_t i = 0; i < missing[l]; i++) {
            uint64_t word = hashed(key, (uint64_t)(start + i) * LANES + (uint64_t)l);
            uint8_t *cell = table + (start + (int64_t)uniform_below(word, (uint64_t)size)) * LANES + l;
            *cell = (uint8_t)(*cell + (*cell < MAX_COUNT));
        }
}

/* ---------------------------------------------------------------- the AUC pass */

typedef struct {
    int64_t n, n_ties;
    const int32_t *units;         /* units by ascending score, negatives first among equals */
    const uint8_t *positive;      /* class of those rows */
    const int64_t *ties;          /* [n_ties, 3]: start, first positive, end of scores shared by both classes */
} model_t;

typedef struct { uint64_t wins[LANES], positives[LANES], negatives[LANES]; } tally_t;

/* Rows are cut in runs of 16 (8 x 8 x 31^2 < 2^16: sixteen bits hold the pairs won inside) and slabs of 16 runs (32
 * bits hold the pairs won inside). A positive wins against the negatives before it: in its run, in earlier runs of its
 * slab, in earlier slabs. */
enum { RUN = 16, SLAB = 256, AHEAD = 64 }; /* AHEAD lines are on their way from memory; `units` is padded so far */

#if HAVE_VECTORS
/* Half a slab: 32 lanes. Bytes are widened by parity, first to 16 then to 32 bits, so lane q + 2(2j + e) + h sits at
 * place [h][e][j]; `true_lane` undoes that once per block. */
INLINE void half_slab(int fetch, const uint8_t *table, const int32_t *units, const uint8_t *positive, int rows,
                      ints8 wins[2][2], ints8 ups[2][2], ints8 lows[2][2]) {
    for (int start = 0; start < rows; start += RUN) {
        int stop = start + RUN < rows ? start + RUN : rows;
        shorts16 won[2] = {{0}, {0}}, up[2] = {{0}, {0}}, low[2] = {{0}, {0}};
        for (int i = start; i < stop; i++) {
            if (fetch) PREFETCH(table + (int64_t)units[i + AHEAD] * LANES);
            shorts16 line, gain, loss;
            memcpy(&line, table + (int64_t)units[i] * LANES, 32);
            gain = line & (uint16_t)-(uint16_t)positive[i];
            loss = line ^ gain;
            shorts16 gains[2] = {gain & 0xFF, gain >> 8}, losses[2] = {loss & 0xFF, loss >> 8};
            for (int h = 0; h < 2; h++) {
                won[h] += gains[h] * low[h];
                low[h] += losses[h];
                up[h] += gains[h];
            }
        }
        for (int h = 0; h < 2; h++) {
            ints8 w[2] = {(ints8)won[h] & 0xFFFF, (ints8)won[h] >> 16};
            ints8 u[2] = {(ints8)up[h] & 0xFFFF, (ints8)up[h] >> 16};
            ints8 d[2] = {(ints8)low[h] & 0xFFFF, (ints8)low[h] >> 16};
            for (int e = 0; e < 2; e++) {
                wins[h][e] += w[e] + u[e] * lows[h][e];
                ups[h][e] += u[e];
                lows[h][e] += d[e];
            }
        }
    }
}

INLINE int true_lane(int place) {
    int q = place & 32, h = (place >> 4) & 1, e = (place >> 3) & 1, j = place & 7;
    return q + 2 * (2 * j + e) + h;
}

INLINE void slab_body(const uint8_t *table, const int32_t *units, const uint8_t *positive, int rows, uint32_t *wins,
                      uint32_t *ups, uint32_t *lows) {
    for (int q = 0; q < LANES; q += 32) {
        ints8 w[2][2] = {0}, u[2][2] = {0}, d[2][2] = {0};
        half_slab(q == 0, table + q, units, positive, rows, w, u, d);
        memcpy(wins + q, w, sizeof w);
        memcpy(ups + q, u, sizeof u);
        memcpy(lows + q, d, sizeof d);
    }
}
#else
INLINE int true_lane(int place) { return place; }

INLINE void slab_body(const uint8_t *table, const int32_t *units, const uint8_t *positive, int rows, uint32_t *wins,
                      uint32_t *ups, uint32_t *lows) {
    for (int l = 0; l < LANES; l++) wins[l] = ups[l] = lows[l] = 0;
    for (int i = 0; i < rows; i++) {
        const uint8_t *line = table + (int64_t)units[i] * LANES;
        for (int l = 0; l < LANES; l++) {
            uint32_t gain = positive[i] ? line[l] : 0;
            wins[l] += gain * lows[l];
            lows[l] += line[l] - gain;
            ups[l] += gain;
        }
    }
}
#endif

INLINE void auc_pass_body(const uint8_t *table, const model_t *m, tally_t *t) {
    uint64_t total_wins[LANES] = {0};
    uint32_t wins[LANES], ups[LANES], lows[LANES], total_ups[LANES] = {0}, total_lows[LANES] = {0};
    for (int64_t start = 0; start < m->n; start += SLAB) {
        int rows = (int)(m->n - start < SLAB ? m->n - start : SLAB);
        slab_body(table, m->units + start, m->positive + start, rows, wins, ups, lows);
        for (int l = 0; l < LANES; l++) {
            total_wins[l] += wins[l] + (uint64_t)total_lows[l] * ups[l];
            total_ups[l] += ups[l];
            total_lows[l] += lows[l];
        }
    }
    for (int place = 0; place < LANES; place++) {
        int l = true_lane(place);
        t->wins[l] = total_wins[place];
        t->positives[l] = total_ups[place];
        t->negatives[l] = total_lows[place];
    }
}

INLINE void add_lines(const uint8_t *table, const int32_t *units, int64_t rows, uint32_t *sums) {
    while (rows > 0) { /* eight counts of at most 31 fit a byte */
        int some = (int)(rows < 8 ? rows : 8);
        uint8_t bytes[LANES] = {0};
        for (int i = 0; i < some; i++) {
            const uint8_t *line = table + (int64_t)units[i] * LANES;
            for (int l = 0; l < LANES; l++) bytes[l] = (uint8_t)(bytes[l] + line[l]);
        }
        for (int l = 0; l < LANES; l++) sums[l] += bytes[l];
        units += some;
        rows -= some;
    }
}

/* Pairs of equal score were counted as won; twice the Mann-Whitney count takes each back once. */
INLINE void tied_pairs_body(const uint8_t *table, const model_t *m, uint64_t *pairs) {
    for (int64_t g = 0; g < m->n_ties; g++) {
        const int64_t *tie = m->ties + 3 * g;
        uint32_t low[LANES] = {0}, up[LANES] = {0};
        add_lines(table, m->units + tie[0], tie[1] - tie[0], low);
        add_lines(table, m->units + tie[1], tie[2] - tie[1], up);
        for (int l = 0; l < LANES; l++) pairs[l] += (uint64_t)low[l] * up[l];
    }
}

/* ---------------------------------------------------------------- sums of columns */

/* Columns come as whole numbers below 2^24 (_words.py): sums are exact, whatever the order they are added in. A number is
 * three digits of eight bits. `digits` holds, for every two rows and digit, the two rows' bytes, twice over: one 32-bit
 * word to spread over a vector. sums [3, LANES] += count x digit over the rows of a chunk; `stride` words lie between one pair of rows and the next. */
static void digit_sums_any(const uint8_t *lines, const uint32_t *digits, int64_t stride, int rows, uint32_t *sums) {
    for (int d = 0; d < DIGITS; d++) {
        uint32_t *total = sums + d * LANES;
        for (int i = 0; i < rows; i++) {
            const uint32_t digit = (digits[(i / 2) * stride + d] >> (8 * (i % 2))) & 0xFF;
            for (int l = 0; l < LANES; l++) total[l] += lines[i * LANES + l] * digit;
        }
    }
}

#if HAVE_AVX2_CLONE
AVX2 static inline void add_sixteen(__m128i shorts, uint32_t *sums) {
    __m256i *to = (__m256i *)sums;
    _mm256_storeu_si256(to, _mm256_add_epi32(_mm256_loadu_si256(to), _mm256_cvtepu16_epi32(shorts)));
}

/* Two rows at a time: their counts side by side, multiplied by their digits and added, eight bits to sixteen. */
AVX2 static void digit_sums_avx2(const uint8_t *lines, const uint32_t *digits, int64_t stride, int rows, uint32_t *sums) {
    for (int q = 0; q < LANES; q += 32) {
        __m256i low[DIGITS], high[DIGITS];
        for (int d = 0; d < DIGITS; d++) low[d] = high[d] = _mm256_setzero_si256();
        for (int pair = 0; pair < (rows + 1) / 2; pair++) {
            const __m256i first = _mm256_loadu_si256((const __m256i *)(lines + 2 * pair * LANES + q));
            const __m256i second = _mm256_loadu_si256((const __m256i *)(lines + (2 * pair + 1) * LANES + q));
            const __m256i a = _mm256_unpacklo_epi8(first, second), b = _mm256_unpackhi_epi8(first, second);
            for (int d = 0; d < DIGITS; d++) {
                const __m256i digit = _mm256_set1_epi32((int)digits[pair * stride + d]);
                low[d] = _mm256_add_epi16(low[d], _mm256_maddubs_epi16(digit, a));
                high[d] = _mm256_add_epi16(high[d], _mm256_maddubs_epi16(digit, b));
            }
        }
        for (int d = 0; d < DIGITS; d++) {
            add_sixteen(_mm256_castsi256_si128(low[d]), sums + d * LANES + q);
            add_sixteen(_mm256_castsi256_si128(high[d]), sums + d * LANES + q + 8);
            add_sixteen(_mm256_extracti128_si256(low[d], 1), sums + d * LANES + q + 16);
            add_sixteen(_mm256_extracti128_si256(high[d], 1), sums + d * LANES + q + 24);
        }
    }
}

/* Add the sums of two unpacked halves, sixteen bits each, to those of 64 lanes. */
AVX512 static inline void add_halves(__m512i low, __m512i high, uint32_t *sums) {
    uint16_t of_low[32], of_high[32];
    _mm512_storeu_si512(of_low, low);
    _mm512_storeu_si512(of_high, high);
    for (int q = 0; q < 4; q++)
        for (int l = 0; l < 8; l++) {
            sums[16 * q + l] += of_low[8 * q + l];
            sums[16 * q + 8 + l] += of_high[8 * q + l];
        }
}

AVX512 static void digit_sums_avx512(const uint8_t *lines, const uint32_t *digits, int64_t stride, int rows, uint32_t *sums) {
    __m512i low[DIGITS], high[DIGITS];
    for (int d = 0; d < DIGITS; d++) low[d] = high[d] = _mm512_setzero_si512();
    for (int pair = 0; pair < (rows + 1) / 2; pair++) {
        const __m512i first = _mm512_loadu_si512(lines + 2 * pair * LANES), second = _mm512_loadu_si512(lines + (2 * pair + 1) * LANES);
        const __m512i a = _mm512_unpacklo_epi8(first, second), b = _mm512_unpackhi_epi8(first, second);
        for (int d = 0; d < DIGITS; d++) {
            const __m512i digit = _mm512_set1_epi32((int)digits[pair * stride + d]);
            low[d] = _mm512_add_epi16(low[d], _mm512_maddubs_epi16(digit, a));
            high[d] = _mm512_add_epi16(high[d], _mm512_maddubs_epi16(digit, b));
        }
    }
    for (int d = 0; d < DIGITS; d++) add_halves(low[d], high[d], sums + d * LANES);
}
#endif
static void (*digit_sums)(const uint8_t *, const uint32_t *, int64_t, int, uint32_t *) = digit_sums_any;

/* ---------------------------------------------------------------- sign flips */

/* The 256 signed sums of eight rows: bit r set means + row r. */
INLINE void sign_table(const double *values, int rows, int64_t stride, double *table) {
    table[0] = 0.0;
    for (int r = 0; r < 8; r++) {
        double value = r < rows ? values[r * stride] : 0.0;
        for (int c = 0; c < 1 << r; c++) {
            table[c + (1 << r)] = table[c] + value;
            table[c] -= value;
        }
    }
}

/* 1024 replicates: eight rows share a random byte per replicate, which looks their signed sum up; four times eight rows
 * at once, always added in the order of rows. */
INLINE void sign_block_body(uint64_t seed, int64_t block, const double *values, int64_t n, int64_t k, double *sums,
                            int64_t sums_stride) {
    enum { EIGHTS = 4 };
    streams_t s;
    uint64_t keys[2];
    uint8_t codes[EIGHTS][SIGN_LANES];
    double table[EIGHTS][256];
    seed_block(&s, keys, seed, (uint64_t)block);
    for (int64_t first = 0; first < n; first += 8 * EIGHTS) {
        for (int g = 0; g < EIGHTS && first + 8 * g < n; g++)
            for (int step = 0; step < SIGN_LANES / LANES; step++) {
#if HAVE_VECTORS
                bytes32 random[2];
                next_line(&s, random);
                memcpy(codes[g] + step * LANES, random, LANES);
#else
                next_line(&s, (int8_t *)codes[g] + step * LANES);
#endif
            }
        for (int64_t column = 0; column < k; column++) {
            double *out = sums + column * sums_stride + block * SIGN_LANES;
            int eights = 0;
            for (; eights < EIGHTS && first + 8 * eights < n; eights++) {
                int64_t row = first + 8 * eights;
                sign_table(values + row * k + column, (int)(n - row < 8 ? n - row : 8), k, table[eights]);
            }
            if (eights == EIGHTS)
                for (int l = 0; l < SIGN_LANES; l++)
                    out[l] = (((out[l] + table[0][codes[0][l]]) + table[1][codes[1][l]]) + table[2][codes[2][l]]) +
                             table[3][codes[3][l]];
            else
                for (int g = 0; g < eights; g++)
                    for (int l = 0; l < SIGN_LANES; l++) out[l] += table[g][codes[g][l]];
        }
    }
}

/* ---------------------------------------------------------------- each hot loop for each machine, chosen at run time */

enum { PLAIN, WITH_AVX2, WITH_AVX512 };
#if HAVE_AVX2_CLONE
#define BUILT(type, name, arguments, call)                                    \
    static type name##_any arguments { return name##_body call; }             \
    AVX2 static type name##_avx2 arguments { return name##_body call; }       \
    AVX512 static type name##_avx512 arguments { return name##_body call; }   \
    static type(*name) arguments = name##_any;
#define CHOOSE(name) name = level == WITH_AVX512 ? name##_avx512 : level == WITH_AVX2 ? name##_avx2 : name##_any
#else
#define BUILT(type, name, arguments, call)                         \
    static type name##_any arguments { return name##_body call; }  \
    static type(*name) arguments = name##_any;
#endif
#define EACH(name, arguments, call) BUILT(void, name, arguments, call)

#define DRAW_ARGUMENTS (streams_t *s, uint8_t *lines, int rows, const int8_t *cuts, uint8_t *sums, uint32_t *positions)
static int draw_lines_any DRAW_ARGUMENTS { return draw_lines_body(0, s, lines, rows, cuts, sums, positions); }
#if HAVE_AVX2_CLONE
AVX2 static int draw_lines_avx2 DRAW_ARGUMENTS { return draw_lines_body(1, s, lines, rows, cuts, sums, positions); }
#endif
static int(*draw_lines) DRAW_ARGUMENTS = draw_lines_any;
EACH(auc_pass, (const uint8_t *table, const model_t *m, tally_t *t), (table, m, t))
EACH(tied_pairs, (const uint8_t *table, const model_t *m, uint64_t *pairs), (table, m, pairs))
EACH(sign_block, (uint64_t seed, int64_t block, const double *values, int64_t n, int64_t k, double *sums, int64_t stride),
     (seed, block, values, n, k, sums, stride))

/* Take the versions of `level` or of the best the machine has below it; return which level runs. */
static int choose(int level) {
#if HAVE_AVX2_CLONE
    __builtin_cpu_init();
    const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    const int avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (level >= WITH_AVX512 && !avx512) level = WITH_AVX2;
    if (level >= WITH_AVX2 && !avx2) level = PLAIN;
    CHOOSE(draw_lines);
    CHOOSE(auc_pass);
    CHOOSE(tied_pairs);
    CHOOSE(digit_sums);
    CHOOSE(sign_block);
    return level;
#else
    (void)level;
    return PLAIN;
#endif
}

/* Poisson counts of at most 62 units of a stratum, from unit `start` on; `drawn` gets their sum in each lane. */
static void draw_chunk(const plan_t *plan, int64_t law, streams_t *s, uint64_t key, int64_t start, int rows,
                       uint8_t *restrict lines, uint16_t *restrict drawn) {
    const uint64_t *cuts = plan->residual + law * RESIDUALS, origin = ((uint64_t)start * LANES + 1) * GOLDEN + key;
    const uint8_t *guide = plan->guide + law * 256;
    uint32_t positions[LINES * LANES + 4];
    uint8_t sums[LANES];
    const int found = draw_lines(s, lines, rows, plan->cuts + law * CUTS, sums, positions);
    for (int l = 0; l < LANES; l++) drawn[l] = sums[l];
    for (int i = 0; i < found; i++) {
        const uint32_t at = positions[i];
        const uint8_t count = residual_count(guide, cuts, mix(origin + at * GOLDEN));
        drawn[at % LANES] = (uint16_t)(drawn[at % LANES] + count - CODED); /* residual bytes are above all cuts: 4 so far */
        lines[at] = count;
    }
}

INLINE int chunk_rows(int64_t start, int64_t end) { return (int)(end - start < LINES ? end - start : LINES); }

/* Draw a block into the table; kept[l] tells whether lane l is a bootstrap sample. */
static void draw_block(const plan_t *plan, uint64_t seed, uint64_t block, uint8_t *table, uint8_t *kept) {
    streams_t s;
    uint64_t keys[2];
    seed_block(&s, keys, seed, block);
    memset(kept, 1, LANES);
    for (int64_t stratum = 0; stratum < plan->n_strata; stratum++) {
        const int64_t start = plan->starts[stratum], end = plan->starts[stratum + 1], law = plan->law[stratum];
        int64_t missing[LANES];
        for (int l = 0; l < LANES; l++) missing[l] = end - start;
        if (law < 0) memset(table + start * LANES, 0, (size_t)(end - start) * LANES);
        for (int64_t at = start; law >= 0 && at < end; at += LINES) {
            uint16_t drawn[LANES];
            draw_chunk(plan, law, &s, keys[0], at, chunk_rows(at, end), table + at * LANES, drawn);
            for (int l = 0; l < LANES; l++) missing[l] -= drawn[l];
        }
        for (int l = 0; l < LANES; l++) kept[l] &= missing[l] >= 0;
        add_units(table, start, end - start, missing, keys[1]);
    }
    memset(table + plan->n_units * LANES, 0, LANES);
}

/* ---------------------------------------------------------------- blocks on threads */

typedef struct job job_t;
struct job {
    const plan_t *plan;
    uint64_t seed;
    int64_t first, count, next;
    int failed;
    /* AUC */
    const model_t *models;
    int64_t n_models;
    int64_t *twice, *positives, *negatives;
    /* sums */
    const uint32_t *words, *digits;
    const struct cells *cells; /* _passes.h */
    /* signs */
    const double *values;
    int64_t n, k;
    double *sums;
    uint8_t *kept;
    void (*work)(job_t *, int64_t block, uint8_t *table);
    size_t table_bytes;
};

static void work_auc(job_t *job, int64_t block, uint8_t *table) {
    tally_t t;
    int64_t at = block * LANES;
    draw_block(job->plan, job->seed, (uint64_t)(job->first + block), table, job->kept + at);
    for (int64_t m = 0; m < job->n_models; m++) {
        uint64_t pairs[LANES] = {0};
        auc_pass(table, job->models + m, &t);
        tied_pairs(table, job->models + m, pairs);
        for (int l = 0; l < LANES; l++)
            job->twice[(at + l) * job->n_models + m] = (int64_t)(2 * t.wins[l] - pairs[l]);
    }
    for (int l = 0; l < LANES; l++) {
        job->positives[at + l] = (int64_t)t.positives[l];
        job->negatives[at + l] = (int64_t)t.negatives[l];
    }
}

/* The words of each unit a lane still misses, added to the lane's totals. */
static void add_words(const job_t *job, int64_t start, int64_t size, const int64_t *missing, uint64_t key, uint64_t *totals) {
    enum { AT_ONCE = 64 };
    int64_t unit[AT_ONCE];
    for (int l = 0; l < LANES; l++)
        for (int64_t first = 0; first < missing[l]; first += AT_ONCE) {
            int some = (int)(missing[l] - first < AT_ONCE ? missing[l] - first : AT_ONCE);
            for (int i = 0; i < some; i++) {
                uint64_t word = hashed(key, (uint64_t)(start + first + i) * LANES + (uint64_t)l);
                unit[i] = (start + (int64_t)uniform_below(word, (uint64_t)size)) * job->k;
                PREFETCH(job->words + unit[i]);
            }
            for (int64_t c = 0; c < job->k; c++) {
                uint64_t total = totals[c * LANES + l];
                for (int i = 0; i < some; i++) total += job->words[unit[i] + c];
                totals[c * LANES + l] = total;
            }
        }
}

/* Put the sums of digits together: totals [k, LANES]. */
static void carry(int64_t k, uint32_t *sums, uint64_t *totals) {
    for (int64_t c = 0; c < k; c++, sums += DIGITS * LANES, totals += LANES)
        for (int l = 0; l < LANES; l++)
            totals[l] += sums[l] + ((uint64_t)sums[LANES + l] << 8) + ((uint64_t)sums[2 * LANES + l] << 16);
}

static size_t sums_bytes(int64_t k) { return LINES * LANES + (size_t)k * LANES * (8 + 4 * DIGITS); }

/* Sums need no table: counts are drawn 62 units at a time and used at once. `scratch` holds these and the sums. */
static void work_sums(job_t *job, int64_t block, uint8_t *scratch) {
    enum { UNTIL_CARRY = 1 << 13 }; /* chunks whose sums of digits fit 32 bits: 2^13 x 62 x 31 x 255 < 2^32 */
    const plan_t *plan = job->plan;
    uint8_t *lines = scratch, *kept = job->kept + block * LANES;
    uint64_t *totals = (uint64_t *)(scratch + LINES * LANES);
    uint32_t *sums = (uint32_t *)(totals + job->k * LANES);
    const uint32_t *digits = job->digits;
    const int64_t stride = job->k * DIGITS;
    const size_t sum_bytes = (size_t)stride * LANES * sizeof *sums;
    int64_t chunks = 0;
    streams_t s;
    uint64_t keys[2];
    seed_block(&s, keys, job->seed, (uint64_t)(job->first + block));
    memset(kept, 1, LANES);
    memset(totals, 0, (size_t)job->k * LANES * sizeof *totals);
    memset(sums, 0, sum_bytes);
    for (int64_t stratum = 0; stratum < plan->n_strata; stratum++) {
        const int64_t start = plan->starts[stratum], end = plan->starts[stratum + 1], law = plan->law[stratum];
        int64_t missing[LANES];
        for (int l = 0; l < LANES; l++) missing[l] = end - start;
        for (int64_t at = start; law >= 0 && at < end; at += LINES) {
            int rows = chunk_rows(at, end);
            uint16_t drawn[LANES], most = 0;
            draw_chunk(plan, law, &s, keys[0], at, rows, lines, drawn);
            for (int l = 0; l < LANES; l++) {
                missing[l] -= drawn[l];
                most = most > drawn[l] ? most : drawn[l];
            }
            if (rows % 2) memset(lines + rows * LANES, 0, LANES);
            for (int64_t c = 0; c < job->k; c++) /* sixteen bits hold 257 counts of 255: practically always enough */
                (most <= 257 ? digit_sums : digit_sums_any)(lines, digits + ((at - start) / 2) * stride + c * DIGITS, stride, rows, sums + c * DIGITS * LANES);
            if (++chunks == UNTIL_CARRY) {
                carry(job->k, sums, totals);
                memset(sums, 0, sum_bytes);
                chunks = 0;
            }
        }
        for (int l = 0; l < LANES; l++) kept[l] &= missing[l] >= 0;
        add_words(job, start, end - start, missing, keys[1], totals);
        digits += ((end - start + 1) / 2) * stride;
    }
    carry(job->k, sums, totals);
    for (int l = 0; l < LANES; l++)
        for (int64_t c = 0; c < job->k; c++) job->sums[(block * LANES + l) * job->k + c] = (double)totals[c * LANES + l];
}

/* Lay out the digits of words [units, k] as `digit_sums` wants them, strata one after the other; NULL without memory. */
static uint32_t *lay_out_digits(const plan_t *plan, const uint32_t *words, int64_t k) {
    int64_t pairs = 1;
    for (int64_t s = 0; s < plan->n_strata; s++) pairs += (plan->starts[s + 1] - plan->starts[s] + 1) / 2;
    uint32_t *digits = malloc((size_t)(pairs * k * DIGITS) * sizeof *digits), *to = digits;
    for (int64_t s = 0; digits && s < plan->n_strata; s++)
        for (int64_t unit = plan->starts[s]; unit < plan->starts[s + 1]; unit += 2)
            for (int64_t c = 0; c < k; c++) {
                uint32_t first = words[unit * k + c], second = unit + 1 < plan->starts[s + 1] ? words[(unit + 1) * k + c] : 0;
                for (int d = 0; d < DIGITS; d++, first >>= 8, second >>= 8)
                    *to++ = ((first & 0xFF) | (second & 0xFF) << 8) * UINT32_C(0x10001);
            }
    return digits;
}

static void work_signs(job_t *job, int64_t block, uint8_t *table) {
    (void)table;
    sign_block(job->seed, block, job->values, job->n, job->k, job->sums, job->count * SIGN_LANES);
}

static void *run_worker(void *argument) {
    job_t *job = argument;
    uint8_t *table = NULL;
    if (job->table_bytes) {
#if HAVE_THREADS
        void *memory = mmap(NULL, job->table_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        table = memory == MAP_FAILED ? NULL : memory;
#ifdef MADV_HUGEPAGE
        if (table) madvise(table, job->table_bytes, MADV_HUGEPAGE); /* fewer misses when lines are read by score */
#endif
#else
        table = malloc(job->table_bytes);
#endif
        if (!table) {
            job->failed = 1;
            return NULL;
        }
    }
    for (;;) {
#if defined(__GNUC__)
        int64_t block = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED);
#else
        int64_t block = job->next++;
#endif
        if (block >= job->count) break;
        job->work(job, block, table);
    }
#if HAVE_THREADS
    if (table) munmap(table, job->table_bytes);
#else
    free(table);
#endif
    return NULL;
}

static void run_job(job_t *job, int threads) {
    Py_BEGIN_ALLOW_THREADS
#if HAVE_THREADS
    enum { MOST = 256 };
    pthread_t pool[MOST];
    int started = 0;
    if (threads > MOST) threads = MOST;
    if (threads > job->count) threads = (int)job->count;
    while (started < threads - 1 && pthread_create(&pool[started], NULL, run_worker, job) == 0) started++;
    run_worker(job);
    while (started > 0) pthread_join(pool[--started], NULL);
#else
    (void)threads;
    run_worker(job);
#endif
    Py_END_ALLOW_THREADS
}

/* ---------------------------------------------------------------- Python */

/* Buffers of one call, released together. */
enum { MOST_BUFFERS = 16 };
typedef struct { Py_buffer view[MOST_BUFFERS]; int used; } buffers_t;

/* Open a contiguous buffer of `bytes` bytes (any size if negative); NULL with an exception if it is not so. */
static void *open_buffer(buffers_t *all, PyObject *object, int writable, Py_ssize_t bytes) {
    Py_buffer *view = &all->view[all->used];
    if (PyObject_GetBuffer(object, view, writable ? PyBUF_CONTIG : PyBUF_CONTIG_RO) < 0) return NULL;
    all->used++;
    if (bytes >= 0 && view->len != bytes) {
        PyErr_Format(PyExc_ValueError, "a buffer of %zd bytes was expected, not %zd", bytes, view->len);
        return NULL;
    }
    return view->buf;
}

static PyObject *close_buffers(buffers_t *all, int done) {
    while (all->used > 0) PyBuffer_Release(&all->view[--all->used]);
    if (!done) return NULL;
    Py_RETURN_NONE;
}

typedef struct { PyObject *starts, *law, *cuts, *residual, *guide; } plan_args_t;

static int open_plan(buffers_t *all, const plan_args_t *given, plan_t *plan) {
    if (!(plan->law = open_buffer(all, given->law, 0, -1))) return 0;
    plan->n_strata = all->view[all->used - 1].len / 8;
    if (!(plan->starts = open_buffer(all, given->starts, 0, (plan->n_strata + 1) * 8))) return 0;
    if (!(plan->cuts = open_buffer(all, given->cuts, 0, -1))) return 0;
    plan->n_laws = all->view[all->used - 1].len / CUTS;
    if (!(plan->residual = open_buffer(all, given->residual, 0, plan->n_laws * RESIDUALS * 8))) return 0;
    if (!(plan->guide = open_buffer(all, given->guide, 0, plan->n_laws * 256))) return 0;
    plan->n_units = plan->starts[plan->n_strata];
    return 1;
}

static int run_with_memory(job_t *job, int threads, int64_t bytes) {
    job->table_bytes = (size_t)bytes;
    run_job(job, threads);
    if (job->failed) PyErr_NoMemory();
    return !job->failed;
}

static PyObject *py_count_block(PyObject *self, PyObject *args) {
    unsigned long long seed, block;
    PyObject *table, *kept;
    plan_args_t given;
    buffers_t all = {.used = 0};
    plan_t plan;
    uint8_t *to, *flags;
    (void)self;
    if (!PyArg_ParseTuple(args, "KKOOOOOOO", &seed, &block, &given.starts, &given.law, &given.cuts, &given.residual, &given.guide, &table, &kept)) return NULL;
    if (!open_plan(&all, &given, &plan) ||
        !(to = open_buffer(&all, table, 1, (plan.n_units + 1) * LANES)) || !(flags = open_buffer(&all, kept, 1, LANES)))
        return close_buffers(&all, 0);
    Py_BEGIN_ALLOW_THREADS
    draw_block(&plan, seed, block, to, flags);
    Py_END_ALLOW_THREADS
    return close_buffers(&all, 1);
}

static PyObject *py_auc_blocks(PyObject *self, PyObject *args) {
    unsigned long long seed;
    long long first, count, k, n;
    int threads;
    PyObject *units, *positive, *ties, *tie_ends, *twice, *positives, *negatives, *kept;
    plan_args_t given;
    buffers_t all = {.used = 0};
    plan_t plan;
    (void)self;
    if (!PyArg_ParseTuple(args, "KLLiOOOOOLLOOOOOOOO", &seed, &first, &count, &threads, &given.starts, &given.law, &given.cuts, &given.residual, &given.guide,
                          &k, &n, &units, &positive, &ties, &tie_ends, &twice, &positives, &negatives, &kept))
        return NULL;
    model_t *models = calloc((size_t)k, sizeof *models);
    if (!models) return PyErr_NoMemory();
    const int32_t *unit;
    const uint8_t *class;
    const int64_t *tie, *ends;
    job_t job = {.plan = &plan, .seed = seed, .first = first, .count = count, .models = models, .n_models = k};
    int done = open_plan(&all, &given, &plan) && (unit = open_buffer(&all, units, 0, k * (n + AHEAD) * 4)) &&
               (class = open_buffer(&all, positive, 0, k * n)) && (tie = open_buffer(&all, ties, 0, -1)) &&
               (ends = open_buffer(&all, tie_ends, 0, (k + 1) * 8)) &&
               (job.twice = open_buffer(&all, twice, 1, count * LANES * k * 8)) &&
               (job.positives = open_buffer(&all, positives, 1, count * LANES * 8)) &&
               (job.negatives = open_buffer(&all, negatives, 1, count * LANES * 8)) &&
               (job.kept = open_buffer(&all, kept, 1, count * LANES));
    if (done) {
        for (long long m = 0; m < k; m++)
            models[m] = (model_t){n, ends[m + 1] - ends[m], unit + m * (n + AHEAD), class + m * n, tie + 3 * ends[m]};
        job.work = work_auc;
        done = run_with_memory(&job, threads, (plan.n_units + 1) * LANES);
    }
    free(models);
    return close_buffers(&all, done);
}

static PyObject *py_sum_blocks(PyObject *self, PyObject *args) {
    unsigned long long seed;
    long long first, count, k;
    int threads;
    PyObject *words, *sums, *kept;
    plan_args_t given;
    buffers_t all = {.used = 0};
    plan_t plan;
    (void)self;
    if (!PyArg_ParseTuple(args, "KLLiOOOOOLOOO", &seed, &first, &count, &threads, &given.starts, &given.law, &given.cuts, &given.residual, &given.guide, &k,
                          &words, &sums, &kept))
        return NULL;
    job_t job = {.plan = &plan, .seed = seed, .first = first, .count = count, .k = k, .work = work_sums};
    int done = open_plan(&all, &given, &plan) &&
               (job.words = open_buffer(&all, words, 0, plan.n_units * k * 4)) &&
               (job.sums = open_buffer(&all, sums, 1, count * LANES * k * 8)) &&
               (job.kept = open_buffer(&all, kept, 1, count * LANES));
    if (done) {
        uint32_t *digits = lay_out_digits(&plan, job.words, k);
        job.digits = digits;
        if (!digits) PyErr_NoMemory();
        done = digits && run_with_memory(&job, threads, (int64_t)sums_bytes(k));
        free(digits);
    }
    return close_buffers(&all, done);
}

static PyObject *py_sign_sums(PyObject *self, PyObject *args) {
    unsigned long long seed;
    long long count, n, k;
    int threads;
    PyObject *values, *sums;
    buffers_t all = {.used = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "KLiLLOO", &seed, &count, &threads, &n, &k, &values, &sums)) return NULL;
    job_t job = {.seed = seed, .count = count, .n = n, .k = k, .work = work_signs};
    int done = (job.values = open_buffer(&all, values, 0, n * k * 8)) &&
               (job.sums = open_buffer(&all, sums, 1, count * SIGN_LANES * k * 8));
    if (done) run_job(&job, threads);
    return close_buffers(&all, done);
}

/* ---------------------------------------------------------------- points of an ROC curve */

INLINE double score_of_key(int is_signed, int64_t gap, uint64_t key) {
    uint64_t bits = key >> 1;
    if (is_signed) {
        const uint64_t sign = (uint64_t)((int64_t)key >> 63), code = (uint64_t)((int64_t)key >> 1);
        const uint64_t magnitude = (code ^ sign) - sign; /* two's complement, without a branch */
        bits = (magnitude + (magnitude ? (uint64_t)gap : 0)) | (magnitude ? sign << 63 : 0);
    }
    double score;
    memcpy(&score, &bits, 8);
    return score;
}

/* Walk down the sorted keys 2 * code + class (see _ranked_keys.py) and write a point at each distinct score. */
INLINE int64_t roc_points_body(int is_signed, const uint64_t *keys, int64_t n, int64_t gap, double n_positive,
                               double n_negative, double *restrict fpr, double *restrict tpr, double *restrict scores,
                               int64_t room) {
    int64_t positives = 0, points = 0;
    for (int64_t i = n - 1; i >= 0; i--) {
        positives += keys[i] & 1;
        if (i > 0 && (keys[i] ^ keys[i - 1]) <= 1) continue;
        if (points == room) return -1;
        fpr[points] = (double)(n - i - positives) / n_negative;
        tpr[points] = (double)positives / n_positive;
        scores[points++] = score_of_key(is_signed, gap, keys[i]);
    }
    return points;
}

static PyObject *py_roc_points(PyObject *self, PyObject *args) {
    int is_signed;
    long long gap;
    double n_positive, n_negative;
    PyObject *keys, *fpr, *tpr, *scores;
    buffers_t all = {.used = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OpLddOOO", &keys, &is_signed, &gap, &n_positive, &n_negative, &fpr, &tpr, &scores)) return NULL;
    const uint64_t *from = open_buffer(&all, keys, 0, -1);
    const int64_t n = from ? all.view[0].len / 8 : 0;
    double *to = from ? open_buffer(&all, scores, 1, -1) : NULL;
    const int64_t room = to ? all.view[1].len / 8 : 0;
    double *x = to ? open_buffer(&all, fpr, 1, room * 8) : NULL, *y = x ? open_buffer(&all, tpr, 1, room * 8) : NULL;
    int64_t points = 0;
    if (y) {
        Py_BEGIN_ALLOW_THREADS
        points = is_signed ? roc_points_body(1, from, n, gap, n_positive, n_negative, x, y, to, room)
                           : roc_points_body(0, from, n, gap, n_positive, n_negative, x, y, to, room);
        Py_END_ALLOW_THREADS
        if (points != room) PyErr_SetString(PyExc_ValueError, "there must be room for one point per distinct score");
    }
    return close_buffers(&all, y && points == room);
}

/* ---------------------------------------------------------------- contexts in which a score is called positive */

/* Pool adjacent violators along falling scores until the negatives per positive rise from block to block. A bin without
 * weight joins the block that follows it, so that a threshold is the highest of those that call the same. `pairs` are
 * the negatives and positives of each bin, overwritten by those of the blocks. */
static void called_from_lane(double *pairs, int64_t bins, const double *contexts, int64_t n_contexts, int64_t *end,
                             uint16_t *from, int64_t stride) {
    double negatives = 0, positives = 0;
    int64_t top = -1;
    for (int64_t i = 0; i < bins; i++) {
        double alarms = pairs[2 * i], hits = pairs[2 * i + 1];
        if (alarms + hits <= 0) continue;
        negatives += alarms;
        positives += hits;
        for (; top >= 0 && pairs[2 * top] * hits >= pairs[2 * top + 1] * alarms; top--) {
            alarms += pairs[2 * top];
            hits += pairs[2 * top + 1];
        }
        top++;
        pairs[2 * top] = alarms;
        pairs[2 * top + 1] = hits;
        end[top] = i;
    }
    if (negatives <= 0) negatives = 1;
    if (positives <= 0) positives = 1;
    int64_t bin = 0, context = 0;
    for (int64_t block = 0; block <= top; block++) {
        const double alarms = pairs[2 * block] / negatives, share = alarms / (alarms + pairs[2 * block + 1] / positives);
        while (context < n_contexts && contexts[context] <= share) context++;
        for (; bin <= end[block]; bin++) from[bin * stride] = (uint16_t)context;
    }
    for (; bin < bins; bin++) from[bin * stride] = (uint16_t)n_contexts;
}

/* Lanes are copied out eight at a time, which is one cache line of each bin. With `own` [bins, 2, lanes] its counts are
 * added to sums [2, lanes, contexts + 1] at the context in which their bin is first called. */
static void called_from_part(const double *counts, const double *own, int64_t bins, int64_t lanes, const double *contexts,
                             int64_t n_contexts, double *scratch, uint16_t *from, double *sums) {
    const int64_t step = own ? 1 : lanes;
    for (int64_t first = 0; first < lanes; first += 8) {
        const int64_t some = lanes - first < 8 ? lanes - first : 8;
        for (int64_t i = 0; i < 2 * bins; i++)
            for (int64_t lane = 0; lane < some; lane++) scratch[lane * 2 * bins + i] = counts[i * lanes + first + lane];
        for (int64_t lane = 0; lane < some; lane++)
            called_from_lane(scratch + lane * 2 * bins, bins, contexts, n_contexts, (int64_t *)(scratch + 16 * bins),
                             own ? from + lane * bins : from + first + lane, step);
        for (int64_t i = 0; own && i < bins; i++)
            for (int64_t lane = 0; lane < some; lane++) {
                double *to = sums + (first + lane) * (n_contexts + 1) + from[lane * bins + i];
                to[0] += own[2 * i * lanes + first + lane];
                to[lanes * (n_contexts + 1)] += own[(2 * i + 1) * lanes + first + lane];
            }
    }
}

/* The first context of every bin of the counts, or with `own` the sums by context. */
static PyObject *called_by_context(long long parts, long long bins, long long lanes, PyObject *counts, PyObject *contexts,
                                   PyObject *to, PyObject *own) {
    buffers_t all = {.used = 0};
    const int adding = own != NULL;
    const double *weights = open_buffer(&all, counts, 0, parts * bins * 2 * lanes * 8);
    const double *grid = weights ? open_buffer(&all, contexts, 0, -1) : NULL;
    const int64_t n_contexts = grid ? all.view[1].len / 8 : 0;
    void *out = grid ? open_buffer(&all, to, 1, adding ? 2 * lanes * (n_contexts + 1) * 8 : parts * bins * lanes * 2) : NULL;
    const double *mine = out && adding ? open_buffer(&all, own, 0, parts * bins * 2 * lanes * 8) : NULL;
    const int ready = out && (mine || !adding);
    double *scratch = ready ? malloc((size_t)(19 * bins + 1) * 8) : NULL;
    if (ready && !scratch) PyErr_NoMemory();
    if (scratch) {
        Py_BEGIN_ALLOW_THREADS
        for (int64_t part = 0; part < parts; part++)
            called_from_part(weights + part * bins * 2 * lanes, mine ? mine + part * bins * 2 * lanes : NULL, bins, lanes, grid,
                             n_contexts, scratch, mine ? (uint16_t *)(scratch + 17 * bins + 1) : (uint16_t *)out + part * bins * lanes, out);
        Py_END_ALLOW_THREADS
    }
    free(scratch);
    return close_buffers(&all, scratch != NULL);
}

static PyObject *py_called_from(PyObject *self, PyObject *args) {
    long long parts, bins, lanes;
    PyObject *counts, *contexts, *from;
    (void)self;
    if (!PyArg_ParseTuple(args, "LLLOOO", &parts, &bins, &lanes, &counts, &contexts, &from)) return NULL;
    return called_by_context(parts, bins, lanes, counts, contexts, from, NULL);
}

static PyObject *py_called_counts(PyObject *self, PyObject *args) {
    long long parts, bins, lanes;
    PyObject *counts, *own, *contexts, *sums;
    (void)self;
    if (!PyArg_ParseTuple(args, "LLLOOOO", &parts, &bins, &lanes, &counts, &own, &contexts, &sums)) return NULL;
    return called_by_context(parts, bins, lanes, counts, contexts, sums, own);
}

#include "_passes.h"
#include "_ranks.h"

static int choose_all(int level) {
    level = choose(level);
    choose_passes(level);
    choose_ranks(level);
    return level;
}

static PyObject *py_use_level(PyObject *self, PyObject *args) {
    int level;
    (void)self;
    if (!PyArg_ParseTuple(args, "i", &level)) return NULL;
    return PyLong_FromLong(choose_all(level));
}

static PyMethodDef methods[] = {
    {"use_level", py_use_level, METH_VARARGS, "Choose plain loops (0), AVX2 (1) or AVX-512 (2); tell which run. For tests."},
    {"count_block", py_count_block, METH_VARARGS, "Draw one block of 64 lanes into a table of counts."},
    {"auc_blocks", py_auc_blocks, METH_VARARGS, "Twice the Mann-Whitney counts of every lane of some blocks."},
    {"sum_blocks", py_sum_blocks, METH_VARARGS, "Exact sums of count * word (24 bits) of every lane of some blocks."},
    {"roc_points", py_roc_points, METH_VARARGS, "Rates and scores at each distinct score of sorted keys."},
    {"called_from", py_called_from, METH_VARARGS, "The first context in which each bin of falling scores is called."},
    {"called_counts", py_called_counts, METH_VARARGS, "Counts by the first context in which their bin is called."},
    {"cell_sum_blocks", py_cell_sum_blocks, METH_VARARGS, "Exact sums of count * word by cell of every lane of some blocks."},
    {"bin_counts", py_bin_counts, METH_VARARGS, "How often the rows of each bin were drawn, and how many were not."},
    {"run_along", py_run_along, METH_VARARGS, "Counts by bin become running sums along the bins of each part."},
    {"slice_sums", py_slice_sums, METH_VARARGS, "Sums of terms by slice."},
    {"slice_powers", py_slice_powers, METH_VARARGS, "Squares and fourth powers of linear functions of terms, added up by slice."},
    {"hull_chain", py_hull_chain, METH_VARARGS, "Places of the vertices of the hull above a staircase."},
    {"hull_lanes", py_hull_lanes, METH_VARARGS, "Vertices of the hulls of 64 rankings."},
    {"rank_pass", py_rank_pass, METH_VARARGS, "Average precision of every lane of a table, or area up to some alarms."},
    {"sign_sums", py_sign_sums, METH_VARARGS, "Sums with random signs, 1024 replicates to a block."},
    {"pair_sums", py_pair_sums, METH_VARARGS, "Signed-rank sums of all pairs of columns."},
    {"walsh_rows", py_walsh_rows, METH_VARARGS, "Walsh averages of rows at some positions of their sorted lists."},
    {"add_ranks", py_add_ranks, METH_VARARGS, "Numbers of sign patterns that reach each sum of ranks."},
    {NULL, NULL, 0, NULL},
};

static int exec_module(PyObject *module) {
    (void)module;
    choose_all(WITH_AVX512);
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, exec_module}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_native", "The C path of the kernels.", 0, methods, slots,
                                        NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
