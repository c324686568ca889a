import { type RefObject, useEffect, useState } from 'react'

/** True once the element has come into the window; what it needs is loaded no earlier. */
export function useSeen(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || !element.current) return
    const observer = new IntersectionObserver((entries) =>
      setSeen(entries.some((entry) => entry.isIntersecting)),
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [seen, element])
  return seen
}
