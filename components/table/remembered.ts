import { useMemo, useSyncExternalStore } from 'react'

/** Settings of a table that the browser stores. */
export type Remembered = {
  hide?: string[] | undefined
  order?: string[] | undefined
  /** Column widths in pixels. */
  widths?: Record<string, number> | undefined
}

const CHANGED = 'table-remembered'

/** Returns the stored settings of a table and a function that changes them. Empty on the server. */
export function useRemembered(name: string): [Remembered, (next: Partial<Remembered>) => void] {
  const key = `proofboard.table.${name}`
  const text = useSyncExternalStore(
    subscribe,
    () => readText(key),
    () => null,
  )
  return useMemo(() => {
    const remembered = parse(text)
    return [remembered, (next) => write(key, { ...remembered, ...next })]
  }, [key, text])
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener)
  window.addEventListener(CHANGED, listener)
  return () => {
    window.removeEventListener('storage', listener)
    window.removeEventListener(CHANGED, listener)
  }
}

/** Reading can fail, because browsers may forbid storage. */
function readText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, remembered: Remembered): void {
  try {
    localStorage.setItem(key, JSON.stringify(remembered))
  } catch {
    return
  }
  window.dispatchEvent(new Event(CHANGED))
}

/** Parses stored settings; invalid ones are ignored. */
function parse(text: string | null): Remembered {
  if (text === null) return {}
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found !== 'object' || found === null) return {}
    const { hide, order, widths } = found as Record<string, unknown>
    return {
      ...(isTexts(hide) && { hide }),
      ...(isTexts(order) && { order }),
      ...(isWidths(widths) && { widths }),
    }
  } catch {
    return {}
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isWidths(value: unknown): value is Record<string, number> {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).every((one) => typeof one === 'number' && Number.isFinite(one))
}
