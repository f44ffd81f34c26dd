/** A long list of rows of one height, of which only those in view are drawn, and some around them. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** Drawn beyond either edge, so that a turn of the wheel or some new rows meet drawn ones. */
const AROUND = 6;
/** Until the list has been measured. */
const FIRST_VIEW = { top: 0, height: 800 };

/** A row is so many times as high as a letter of the page; its style says the same. */
export function useWindow(count: number, rowHeightRem: number) {
  const list = useRef<HTMLDivElement>(null);
  const [view, setView] = useState(FIRST_VIEW);
  const rowHeight = useRef(0);
  if (rowHeight.current === 0)
    rowHeight.current = rowHeightRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const height = rowHeight.current;
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  const bringIntoView = useCallback(
    (at: number) => {
      const element = list.current;
      if (!element || at < 0) return;
      const lowest = (at + 1) * height - element.clientHeight;
      element.scrollTop = Math.min(at * height, Math.max(lowest, element.scrollTop));
    },
    [height],
  );
  const from = Math.max(0, Math.min(count, Math.floor(view.top / height) - AROUND));
  const to = Math.min(count, Math.ceil((view.top + view.height) / height) + AROUND);
  return {
    list,
    bringIntoView,
    /** The first row that is drawn, and the first after it that is not. */
    from,
    to,
    /** Room for those that are not drawn. */
    room: { paddingTop: `${from * height}px`, paddingBottom: `${(count - to) * height}px` },
  };
}
