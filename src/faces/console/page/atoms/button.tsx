import type { ComponentChildren } from "preact";
import { Key } from "./key.tsx";

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onPress: () => void;
  readonly kind?: "primary" | "danger" | "quiet" | "small";
  /** The key that does the same; it is printed only while the button can be pressed. */
  readonly hotkey?: string;
  /** Says why it cannot be pressed; true while an act runs. */
  readonly disabled?: boolean | string | undefined;
}

export function Button({ children, onPress, kind, hotkey, disabled = false }: ButtonProps) {
  const isDisabled = disabled !== false;
  return (
    <button
      class={kind === undefined ? "btn" : `btn ${kind}`}
      type="button"
      disabled={isDisabled}
      onClick={onPress}
      {...(typeof disabled === "string" && { title: disabled })}
    >
      {children}
      {hotkey !== undefined && !isDisabled && <Key>{hotkey}</Key>}
    </button>
  );
}
