'use client'

import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useEffect } from 'react'
import { replayEarlyInput } from './replay-early-input.ts'

/** For the components of a page that are interactive: the state of the address, and what was typed and pressed before the scripts ran. */
export function Providers({ children }: { children: ReactNode }) {
  useEffect(replayEarlyInput, [])
  useEffect(startMissingBehaviour, [])
  return <NuqsAdapter>{children}</NuqsAdapter>
}

/** The page of an address that does not exist is drawn by the browser, which runs no script that is drawn. */
function startMissingBehaviour(): void {
  if (document.documentElement.dataset.theme !== undefined) return
  void import('./behaviour/start.ts').then(({ startBehaviour }) => startBehaviour())
}
