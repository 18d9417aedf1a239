interface Props {
  readonly label: string;
  /** From 0 to 1; without it nobody knows how long it takes. */
  readonly part?: number | undefined;
}

export const Progress = ({ label, part }: Props) => (
  <div class="setting-progress">
    <progress aria-label={label} {...(part === undefined ? {} : { value: part, max: 1 })} />
    <p class="muted" role="status">
      {label}
    </p>
  </div>
);
