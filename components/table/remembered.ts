import { useMemo, useSyncExternalStore } from 'react'

/** What a browser remembers of a table. */
export type Remembered = {
  hide?: string[] | undefined
  order?: string[] | undefined
  /** In pixels, by column. */
  widths?: Record<string, number> | undefined
}

const CHANGED = 'table-remembered'

/** Returns what this browser remembers of a table, and what changes it. Nothing is remembered while the server draws. */
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

/** A browser may forbid its storage. */
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

/** What is damaged is as if it was not there. */
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
