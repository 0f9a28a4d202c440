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

  const kept = (path) => {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(`guess ${path} `)).length;
    } catch { return 0; } // a private window keeps nothing
  };
  for (const tile of document.querySelectorAll(".tile")) {
    const all = Number(tile.dataset.guesses), made = Math.min(all, kept(new URL(tile.href).pathname));
    if (!made) continue;
    tile.querySelector("small").textContent = `${made} of ${all} guesses made here`;
    tile.style.setProperty("--done", `${100 * made / all}%`);
  }
});
