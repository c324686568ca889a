const NAMED: Readonly<Record<string, Omit<CdpKey, 'key'>>> = {
  Backspace: { code: 'Backspace', windowsVirtualKeyCode: 8 },
  Tab: { code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  Escape: { code: 'Escape', windowsVirtualKeyCode: 27 },
  PageUp: { code: 'PageUp', windowsVirtualKeyCode: 33 },
  PageDown: { code: 'PageDown', windowsVirtualKeyCode: 34 },
  End: { code: 'End', windowsVirtualKeyCode: 35 },
  Home: { code: 'Home', windowsVirtualKeyCode: 36 },
  ArrowLeft: { code: 'ArrowLeft', windowsVirtualKeyCode: 37 },
  ArrowUp: { code: 'ArrowUp', windowsVirtualKeyCode: 38 },
  ArrowRight: { code: 'ArrowRight', windowsVirtualKeyCode: 39 },
  ArrowDown: { code: 'ArrowDown', windowsVirtualKeyCode: 40 },
  Delete: { code: 'Delete', windowsVirtualKeyCode: 46 },
  ' ': { code: 'Space', windowsVirtualKeyCode: 32, text: ' ' },
}

type CdpKey = { key: string; code: string; windowsVirtualKeyCode: number; text?: string }

/** Returns the protocol's parameters for a key with this DOM name. Throws for an unknown key. */
export function cdpKey(key: string): CdpKey {
  const named = NAMED[key]
  if (named) return { key, ...named }
  if ([...key].length !== 1) throw new Error(`there is no key “${key}”`)
  const upper = key.toUpperCase()
  const code = /[A-Z]/.test(upper) ? `Key${upper}` : ''
  return { key, code, windowsVirtualKeyCode: upper.charCodeAt(0), text: key }
}
