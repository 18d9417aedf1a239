import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Measures an element now and whenever its size changes; also one that takes the place of another, or of nothing. */
function useMeasured<E extends HTMLElement>(place: RefObject<E | null>, measure: (element: E) => void): void {
  const seen = useRef<E | null>(null);
  const observer = useRef<ResizeObserver | undefined>(undefined);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === seen.current) return;
    observer.current?.disconnect();
    seen.current = element;
    if (!element) return;
    measure(element);
    observer.current = new ResizeObserver(() => measure(element));
    observer.current.observe(element);
  });
  useLayoutEffect(() => () => observer.current?.disconnect(), []);
}

/** The width of an element in pixels, which a chart is drawn for; 0 before it is known. */
export function useWidth<E extends HTMLElement>(): readonly [RefObject<E | null>, number] {
  const place = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useMeasured(place, ({ clientWidth }) => setWidth(Math.floor(clientWidth)));
  return [place, width];
}

/** Width and height of an element, as `useWidth`. */
export function useSize<E extends HTMLElement>(): readonly [RefObject<E | null>, number, number] {
  const [place, width] = useWidth<E>();
  const [height, setHeight] = useState(0);
  useMeasured(place, ({ clientHeight }) => setHeight(clientHeight));
  return [place, width, height];
}

/** The estimated width of a text on an axis: digits are the widest of its usual characters. */
export const textWidth = (text: string): number => text.length * 6.3 + 2;
