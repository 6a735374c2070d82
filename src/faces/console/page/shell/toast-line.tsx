import { toast } from "../state/toast.ts";

/** Announces the last success politely. */
export const ToastLine = () => (
  <div class={toast.value === "" ? "toast" : "toast on"} role="status">
    {toast.value}
  </div>
);
