import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/** Takes what was typed into a field before its script ran: React would write its own first value over it. */
export function useTypedEarly(
  value: string,
  onTyped: (text: string) => void,
): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  const take = useEffectEvent(() => {
    const typed = field.current?.value ?? value
    if (typed !== value) onTyped(typed)
  })
  useEffect(() => take(), [])
  return field
}
