import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The width of an element in pixels, which a chart is drawn for; 0 before it is known. */
export function useWidth<E extends HTMLElement>(): readonly [RefObject<E | null>, number] {
  const place = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    setWidth(Math.floor(element.clientWidth));
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, width];
}

/** Width and height of an element, as `useWidth`. */
export function useSize<E extends HTMLElement>(): readonly [RefObject<E | null>, number, number] {
  const [place, width] = useWidth<E>();
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    setHeight(element.clientHeight);
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, width, height];
}

/** The estimated width of a text on an axis: digits are the widest of its usual characters. */
export const textWidth = (text: string): number => text.length * 6.3 + 2;
