import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  /** The pointed position, in pixels of the element that the tip is in. */
  readonly x: number;
  readonly y: number;
  /** The width of that element. */
  readonly within: number;
  readonly children: ComponentChildren;
}

/** A tip next to a position of a chart, on the side with more space. */
export function Tip({ x, y, within, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => setWidth(place.current?.offsetWidth ?? 0), [children]);
  const isRight = x < within / 2;
  const wanted = isRight ? x + 14 : x - 14 - width;
  const left = Math.max(0, Math.min(wanted, within - width));
  return (
    <div ref={place} class="chart-tip" aria-hidden="true" style={{ left: `${left}px`, top: `${Math.max(0, y)}px` }}>
      {children}
    </div>
  );
}
