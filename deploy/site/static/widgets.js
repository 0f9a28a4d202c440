// Sliders come from ipywidgets, which asks for a part of MathJax 2 whenever it writes a label.
// MathJax 3 has no such part, and our labels hold no formulas: there is nothing to set.
document.addEventListener("DOMContentLoaded", () => {
  if (window.MathJax) window.MathJax.Hub = { Queue: () => undefined };
});
