// A formula that is wider than its column is scrolled. Then, and only then, Tab stops at it, so that keys can scroll it.
const reach = () => {
  for (const formula of document.querySelectorAll("div.math")) {
    const wide = formula.scrollWidth > formula.clientWidth;
    formula.toggleAttribute("tabindex", wide);
    if (wide) formula.tabIndex = 0;
  }
};
addEventListener("load", reach);
addEventListener("resize", reach);
