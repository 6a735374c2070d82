interface ChoiceProps<T extends string> {
  readonly kind: "chips" | "seg";
  readonly label: string;
  readonly options: readonly T[];
  readonly value: T;
  readonly onChoose: (option: T) => void;
}

/** Offers a few options of which one holds. */
export function Choice<T extends string>({ kind, label, options, value, onChoose }: ChoiceProps<T>) {
  return (
    <div class={kind} role="group" aria-label={label}>
      {options.map((option) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChoose(option)}>
          {option}
        </button>
      ))}
    </div>
  );
}
