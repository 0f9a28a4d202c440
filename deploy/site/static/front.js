// The first page: who fits what a neighbor knows, and how far this browser's reader has come.
document.addEventListener("DOMContentLoaded", () => {
  const attack = document.querySelector(".attack");
  if (!attack) return;
  const counts = JSON.parse(attack.dataset.counts), status = attack.querySelector("[role=status]");
  const boxes = [...attack.querySelectorAll("input")], dots = [...attack.querySelectorAll("circle")];
  // The same crowd at every visit: Karrie in the middle, the others in an order that looks random.
  const karrie = 525, order = dots.map((_, place) => (place * 617 + karrie) % dots.length);
  const show = () => {
    const left = counts[boxes.map((box) => Number(box.checked)).join("")];
    const fitting = new Set(order.slice(0, left));
    dots.forEach((dot, place) => {
      dot.classList.toggle("out", !fitting.has(place));
      dot.classList.toggle("karrie", place === karrie && left < dots.length);
    });
    const words = left.toLocaleString("en-US");
    status.textContent = left === 1
      ? `One row fits. Nobody broke into anything. Karrie Trusslove earns ${attack.dataset.secret}.`
      : `${words} rows fit.` + (left > dots.length ? " A thousand of them are drawn." : "");
  };
  boxes.forEach((box) => box.addEventListener("change", show));
  show();

  const count = (start, fits) => {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(start) && fits(localStorage[key])).length;
    } catch { return 0; } // a private window keeps nothing
  };
  for (const tile of document.querySelectorAll(".tile")) {
    const path = new URL(tile.href).pathname, words = [];
    const { guesses, exercises } = tile.dataset;
    const passed = Math.min(exercises, count(`passed ${path} `, (share) => share >= 0.9995));
    const made = Math.min(guesses, count(`guess ${path} `, () => true));
    if (passed) words.push(`${passed} of ${exercises} exercises ✓`);
    if (made) words.push(`${made} of ${guesses} guesses made here`);
    if (!words.length) continue;
    tile.querySelector("small").textContent = words.join(", ");
    tile.style.setProperty("--done", `${(100 * (passed + made)) / (Number(exercises) + Number(guesses))}%`);
  }
});
