// Sliders on a page without a kernel: a native control switches pictures that lie packed in the page.
// The parts are made by dplib/explore/parts/page.py. Without this script the first picture is there.
const PACE = 500; // milliseconds at a stop while it plays, as in dplib/explore/parts/frames.py
document.addEventListener("DOMContentLoaded", () => {
  const unpack = async (packed) => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  };
  const asked = new URLSearchParams(location.hash.slice(1));
  const counts = {};

  for (const figure of document.querySelectorAll("figure.dplib-slider")) {
    const control = figure.querySelector("input"), output = figure.querySelector("output");
    const caption = figure.querySelector("figcaption"), button = figure.querySelector("button");
    const name = control.getAttribute("aria-label");
    const place = (counts[figure.dataset.key] = (counts[figure.dataset.key] ?? 0) + 1);
    const key = figure.dataset.key + (place > 1 ? `-${place}` : ""); // its name in the address
    let frames; // labels, pictures, captions: unpacked when first needed
    const unpacked = () => (frames ??= unpack(figure.dataset.frames));
    const show = async () => {
      const [labels, pictures, captions] = await unpacked(), stop = control.value;
      output.textContent = labels[stop];
      control.setAttribute("aria-valuetext", `${name} = ${labels[stop]}`);
      figure.querySelector(".dplib-picture").innerHTML = pictures[stop];
      caption.textContent = captions[stop];
    };
    const keep = async () => {
      const hash = new URLSearchParams({ [key]: (await unpacked())[0][control.value] });
      history.replaceState(null, "", `#${hash}`); // so that this stop can be sent to a friend
    };
    let playing; // the clock that moves the slider, while it does
    const say = (live) => [output, caption].forEach((each) => (each.ariaLive = live));
    const pause = () => {
      if (!playing) return;
      playing = clearInterval(playing);
      button.textContent = "Play";
      say("polite");
      keep();
    };
    const step = () => {
      control.stepUp();
      if (control.value === control.max) pause(); // before the last sentence, which is read out
      show();
    };
    button.addEventListener("click", () => {
      if (playing) return pause();
      if (control.value === control.max) control.value = control.min;
      show();
      say("off");
      button.textContent = "Pause";
      playing = setInterval(step, PACE);
    });
    control.addEventListener("input", () => { pause(); show(); });
    control.addEventListener("change", keep);
    control.addEventListener("pointerenter", unpacked, { once: true });
    figure.querySelector(".dplib-stop").hidden = false;
    if (asked.has(key)) {
      unpacked().then(([labels]) => {
        const stop = labels.indexOf(asked.get(key));
        if (stop < 0) return;
        control.value = stop;
        show();
        figure.scrollIntoView();
      });
    }
  }
});
