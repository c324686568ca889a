import { z } from 'zod'

/** What injects a fault: the app's server, the harness through its own connection, the proxy before the browser. */
export const BROWSER_FAULTS = {
  stall: { by: 'app', what: 'the response is delayed by 3 s' },
  'server-error': { by: 'app', what: 'the request fails once with 500' },
  'slow-dom': { by: 'app', what: 'the next page renders over 2 s' },
  're-render': {
    by: 'app',
    what: 'the page re-renders its elements between lookup and action, for less than 2 s',
  },
  overlay: { by: 'app', what: 'an overlay covers the page until it is dismissed' },
  'session-expiry': { by: 'app', what: 'the session expires, so the user has to sign in again' },
  'lost-response': { by: 'app', what: 'the change is applied, but the response is lost' },
  'renderer-crash': { by: 'browser', what: 'the renderer process crashes' },
  'closed-tab': { by: 'browser', what: 'the tab is closed' },
  dialog: { by: 'browser', what: 'an alert opens' },
  'dropped-connection': { by: 'proxy', what: 'the debugging connection is dropped' },
} as const

export const BROWSER_FAULT_KINDS = Object.keys(BROWSER_FAULTS) as [
  BrowserFaultKind,
  ...BrowserFaultKind[],
]

export const browserFaultKindSchema = z.enum(BROWSER_FAULT_KINDS)

export type BrowserFaultKind = keyof typeof BROWSER_FAULTS
