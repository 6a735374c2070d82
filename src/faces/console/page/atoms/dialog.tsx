import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly footer?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Opens over the page until it is closed; the browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, footer, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog class="sheet" ref={element} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button class="ib" type="button" aria-label="Close" onClick={() => element.current?.close()}>
          <Icon name="cross" />
        </button>
      </header>
      {children}
      {footer !== undefined && <footer>{footer}</footer>}
    </dialog>
  );
}
