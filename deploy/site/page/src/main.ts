// What a page loads at once: its panel. Editors come when an exercise is near, Python when one is used.
import type { Page } from "./page";
import { Panel, places } from "./panel";

const NEAR = "600px"; // of what is seen

const place = document.querySelector<HTMLElement>("#answering");
if (place) begin(place);

function begin(place: HTMLElement): void {
  const found = places();
  let page: Promise<Page> | undefined;
  const whole = () => (page ??= import("./page").then((module) => module.open(place, panel, found)));
  const failed = (error: unknown) => {
    page = undefined; // the next press tries again
    panel.say(`This cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  };
  const panel = new Panel(place, found, {
    download: () => whole().then((it) => it.download()).catch(failed),
    open: (file) => whole().then((it) => it.read(file)).catch(failed),
  });
  const watch = new IntersectionObserver(
    (seen) => {
      if (!seen.some((each) => each.isIntersecting)) return;
      watch.disconnect();
      whole().catch(failed);
    },
    { rootMargin: NEAR },
  );
  for (const { host } of found) watch.observe(host);
}
