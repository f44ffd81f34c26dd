/** Chapters and transcript follow the audio, and lead to their moment in it. */

type Moment = { readonly button: HTMLButtonElement; readonly start: number };
type Moments = { readonly list: HTMLElement; readonly moments: readonly Moment[]; shown: Moment | undefined };

function momentsIn(list: HTMLElement): Moments {
  const buttons = [...list.querySelectorAll<HTMLButtonElement>("button[data-start]")];
  return {
    list,
    moments: buttons.map((button) => ({ button, start: Number(button.dataset.start) })),
    shown: undefined,
  };
}
/** The last that has begun. */
function momentAt(moments: readonly Moment[], seconds: number): Moment | undefined {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle]?.start ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  return moments[low - 1];
}

function follow(audio: HTMLAudioElement): void {
  const lists = [...document.querySelectorAll<HTMLElement>("[data-moments]")].map(momentsIn);
  const wish = document.getElementById("follow");
  const isScrolling = () => !(wish instanceof HTMLInputElement) || wish.checked;
  const show = () => {
    for (const one of lists) {
      const moment = momentAt(one.moments, audio.currentTime + 0.05);
      if (moment === one.shown) continue;
      one.shown?.button.removeAttribute("aria-current");
      one.shown = moment;
      if (!moment) continue;
      moment.button.setAttribute("aria-current", "true");
      if (!isScrolling()) continue;
      const place = moment.button.offsetTop - one.list.offsetTop - one.list.clientHeight / 3;
      one.list.scrollTop = Math.max(0, place);
    }
  };
  for (const { button, start } of lists.flatMap(({ moments }) => moments))
    button.addEventListener("click", () => {
      audio.currentTime = start;
      show();
      audio.play().catch(() => {});
    });
  audio.addEventListener("timeupdate", show);
  audio.addEventListener("seeked", show);
  const asked = /^#t=(\d+)/.exec(location.hash);
  const toMoment = () => {
    audio.currentTime = Number(asked?.[1]);
  };
  if (asked) audio.addEventListener("loadedmetadata", toMoment, { once: true });
}

const audio = document.querySelector("audio");
if (audio) follow(audio);
