'use client'

import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useEffect } from 'react'
import { takeEarlyClicks } from './behaviour/early-clicks.ts'
import { startBehaviour } from './behaviour/start.ts'
import { startTheme } from './behaviour/theme.ts'

/** Shared by all pages: URL state, keys and buttons, and a replay of input from before hydration. */
export function Providers({ children }: { children: ReactNode }) {
  useEffect(startBehaviour, [])
  useEffect(startMissingTheme, [])
  useEffect(replayEarlyInput, [])
  return <NuqsAdapter>{children}</NuqsAdapter>
}

/** Starts the theme on error pages, which React renders in the browser, where rendered scripts do not run. */
function startMissingTheme(): void {
  if (document.documentElement.dataset.theme === undefined) startTheme()
}

let isReplayed = false

/**
 * Replays input from before hydration: typed, checked, selected or clicked. React takes over the fields as the server
 * sent them, and would restore their initial values at the next render.
 */
function replayEarlyInput(): void {
  if (isReplayed) return
  isReplayed = true
  for (const field of document.querySelectorAll('select')) replaySelect(field)
  for (const field of document.querySelectorAll('textarea')) replayText(field)
  for (const field of document.querySelectorAll('input')) {
    if (field.type === 'checkbox' || field.type === 'radio') replayTick(field)
    else if (!['file', 'hidden'].includes(field.type)) replayText(field)
  }
  for (const button of takeEarlyClicks()) button.click()
}

/** React compares with the value that was last set on the element, so the native setter is used. */
function replayText(field: HTMLInputElement | HTMLTextAreaElement): void {
  const { value, defaultValue } = field
  if (value === defaultValue) return
  field.value = defaultValue
  const plain = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')
  plain?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function replayTick(field: HTMLInputElement): void {
  const { checked, defaultChecked } = field
  // For radio buttons, only the checked one is replayed.
  if (checked === defaultChecked || (field.type === 'radio' && !checked)) return
  field.checked = defaultChecked
  field.click()
}

function replaySelect(field: HTMLSelectElement): void {
  const options = [...field.options]
  const sent = options.find(({ defaultSelected }) => defaultSelected) ?? options[0]
  if (field.multiple || sent === undefined || sent.selected) return
  field.dispatchEvent(new Event('change', { bubbles: true }))
}
