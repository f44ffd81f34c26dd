/** A question in the middle of the window: the browser's own dialog, which keeps the keyboard inside and closes on Escape. */
import type { ComponentChildren, JSX, RefObject } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import type { Work } from "../loading.ts";
import { Button, WorkNote } from "./basics.tsx";

/** Open as soon as it is drawn, so that nothing typed is lost; and closed however it goes, so that the keyboard is again where it was. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      // The browser tells of it a moment later, when it may be open again.
      shown?.addEventListener("close", (event) => event.stopImmediatePropagation(), { capture: true });
      shown?.close();
    };
  }, []);
  return dialog;
}

export function Dialog({
  title,
  onClose,
  isBroad = false,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly isBroad?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const dialog = useModal();
  const heading = useId();
  return (
    <dialog
      ref={dialog}
      class={isBroad ? "dialog broad" : "dialog"}
      aria-labelledby={heading}
      onClose={onClose}
      onMouseDown={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="dialog-inside">
        <div class="dialog-head">
          <h2 id={heading}>{title}</h2>
          <Button icon="close" kind="bare" label="Close" onClick={() => dialog.current?.close()} />
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** For what cannot be undone. */
export function Confirmation({
  title,
  verb,
  work,
  onClose,
  children,
}: {
  readonly title: string;
  readonly verb: string;
  readonly work: Work<readonly []>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        {children}
        <WorkNote work={work} />
        <div class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" isBusy={work.isBusy} onClick={() => void work.run()}>
            {verb}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
