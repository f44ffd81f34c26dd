/** Chapters and transcript follow the audio, and lead to their moment in it. */

export const SCRIPT = `(() => {
  const audio = document.querySelector("audio");
  if (!audio) return;
  const lists = [...document.querySelectorAll("[data-moments]")].map((list) => {
    const buttons = [...list.querySelectorAll("button[data-start]")];
    return { list, buttons, starts: buttons.map((button) => Number(button.dataset.start)), shown: -1 };
  });
  const follow = document.getElementById("follow");
  const indexAt = (starts, time) => {
    let low = 0, high = starts.length;
    while (low < high) { const middle = (low + high) >> 1; if (starts[middle] <= time) low = middle + 1; else high = middle; }
    return low - 1;
  };
  const show = () => {
    for (const one of lists) {
      const index = indexAt(one.starts, audio.currentTime + 0.05);
      if (index === one.shown) continue;
      if (one.shown >= 0) one.buttons[one.shown].removeAttribute("aria-current");
      one.shown = index;
      if (index < 0) continue;
      const button = one.buttons[index];
      button.setAttribute("aria-current", "true");
      if (follow && !follow.checked) continue;
      const place = button.offsetTop - one.list.offsetTop - one.list.clientHeight / 3;
      one.list.scrollTop = Math.max(0, place);
    }
  };
  for (const { buttons } of lists)
    for (const button of buttons)
      button.addEventListener("click", () => {
        audio.currentTime = Number(button.dataset.start);
        show();
        audio.play().catch(() => {});
      });
  audio.addEventListener("timeupdate", show);
  audio.addEventListener("seeked", show);
  const asked = /^#t=(\\d+)/.exec(location.hash);
  if (asked) audio.addEventListener("loadedmetadata", () => { audio.currentTime = Number(asked[1]); }, { once: true });
})();`;
