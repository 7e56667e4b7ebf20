// Exercises of the lecture pages: a typed number is checked against the answer, and a usual slip is told apart.
const near = (a, b, tolerance) => Math.abs(a - b) <= tolerance;

for (const form of document.querySelectorAll("form.exercise")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { answer, tolerance, slips, right, wrong } = form.dataset;
    const typed = Number(form.querySelector("input").value.trim().replace("−", "-").replace(",", "."));
    const slip = Object.entries(JSON.parse(slips)).find(([value]) => near(typed, Number(value), Number(tolerance)));
    const said = near(typed, Number(answer), Number(tolerance)) ? right : slip ? slip[1] : wrong;
    form.querySelector("output").textContent = said;
  });
}
