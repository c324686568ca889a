'use client'

import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useEffect } from 'react'
import { startBehaviour } from './behaviour/start.ts'
import { startTheme } from './behaviour/theme.ts'
import { replayEarlyInput } from './replay-early-input.ts'

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
