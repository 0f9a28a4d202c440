// Guesses on a page without a kernel: kept by this browser alone, then shown beside the truth.
// The parts are made by dplib/guess/page.py; without this script the answers stay folded.
document.addEventListener("DOMContentLoaded", () => {
  const key = (name) => `guess ${location.pathname} ${name}`;
  const kept = (name) => {
    try { return localStorage.getItem(key(name)); } catch { return null; }
  };
  const keep = (name, said) => {
    try { localStorage.setItem(key(name), said); } catch { /* a private window keeps nothing */ }
  };
  const written = (value, unit) => {
    const digits = Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
    const number = Number(value).toLocaleString("en-US", digits);
    const one = unit === "people" ? "person" : unit.replace(/s$/, "");
    return `${number} ${number === "1" ? one : unit}`.trim();
  };

  const place = (axis, value) => {
    const { low, high, log } = axis.dataset;
    const scale = log === "1" ? Math.log : Number;
    const share = (scale(Math.max(value, low)) - scale(low)) / (scale(high) - scale(low));
    return 20 + 320 * Math.min(1, Math.max(0, share)); // as in dplib/guess/page.py
  };
  const reveal = (name, said, open) => {
    for (const answer of document.querySelectorAll("details.dplib-answer")) {
      if (answer.dataset.name !== name) continue;
      const axis = answer.querySelector("svg"), truth = answer.dataset.truth;
      const words = axis ? written(said, axis.dataset.unit) : `“${said}”`;
      answer.querySelector("summary").textContent = "The answer";
      answer.querySelector("p").textContent =
        words === truth ? `You said ${words}, and it is.` : `You said ${words}, it is ${truth}.`;
      if (axis) {
        const yours = axis.querySelector(".yours");
        yours.setAttribute("transform", `translate(${place(axis, said)})`);
        yours.removeAttribute("visibility");
        axis.setAttribute("aria-label", `An axis: it is ${truth}, you said ${words}.`);
      }
      if (open) answer.open = true;
      return answer;
    }
    return null;
  };
  // The guess and the truth on one axis, where the reader has guessed.
  const showHere = (form, answer) => {
    form.querySelector(".dplib-here")?.remove();
    if (!answer) return;
    const here = document.createElement("div");
    here.className = "dplib-here";
    here.append(...[...answer.children].filter((each) => each.matches("p, svg")).map((each) => each.cloneNode(true)));
    form.querySelector("fieldset").append(here);
  };

  for (const guess of document.querySelectorAll(".dplib-guess")) {
    const form = guess.querySelector("form"), status = guess.querySelector("[role=status]");
    const range = form.querySelector("input[type=range]"), name = guess.dataset.name;
    if (range) {
      const words = JSON.parse(range.dataset.words);
      const say = () => {
        form.querySelector("output").textContent = words[range.value];
        range.setAttribute("aria-valuetext", words[range.value]);
      };
      range.addEventListener("input", say);
      say();
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const given = new FormData(form).get("guess");
      const said = range ? JSON.parse(range.dataset.stops)[given] : given;
      keep(name, said);
      showHere(form, reveal(name, said, true));
      status.textContent = "Kept in this browser.";
    });
    form.hidden = false;
    const before = kept(name);
    if (before !== null) {
      showHere(form, reveal(name, before, true));
      status.textContent = "You have guessed here before.";
    }
  }
});
