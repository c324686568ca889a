import type { BrowserFaultKind } from '#lib/domain/record/index.ts'

/**
 * The sender of a request: the browser leased to this episode, another program, a process that has ended since, or a
 * browser of another episode. Null = this machine cannot distinguish them.
 */
export type RequestClient = 'browser' | 'other' | 'gone' | 'another-browser' | null

/** A request as the app's server saw it; the app responds only to those of the episode's own browser. */
export type SeenRequest = {
  at: string
  method: string
  /** For a request that our browser sent to another episode: `//host/path`. */
  path: string
  status: number | null
  client: RequestClient
}

/** A fault that fired, with its evidence. */
export type Firing = { kind: BrowserFaultKind; at: string; evidence: string }

/** An episode's request for an app: its name, its seed, and the request at which a fault fires. */
export type TenantRequest = {
  app: string
  /** Unique; a DNS label: the episode's own origin is `http://<tenant>.localhost:PORT`. */
  tenant: string
  seed: number
  /** The first process of the browser that may use it; other clients are refused. Absent = no restriction. */
  browser?: number | null
  /** Fires once, at the first matching request. Null = none. */
  fault: { kind: BrowserFaultKind; at: string } | null
}

/** One episode's own copy of an app. Subjects cannot reach any of this. */
export type Tenant = {
  origin: string
  /** Reads the three below at one moment. */
  read: () => Promise<{ state: unknown; requests: SeenRequest[]; firing: Firing | null }>
  /** The current state of the app's server, as JSON, on which success criteria are evaluated. */
  state: () => Promise<unknown>
  requests: () => Promise<SeenRequest[]>
  /** The fault's firing; null = not fired (yet). */
  fired: () => Promise<Firing | null>
  /**
   * For faults that the app's server cannot inject itself: called when the request has arrived, before the response,
   * which waits (2 s at most) until the injection is done. The injector returns the evidence that it fired; null = it
   * did not.
   */
  onPoint: (inject: () => Promise<string | null>) => void
  close: () => Promise<void>
}

/** The apps of one run, in their own processes. */
export type AppPool = {
  open: (order: TenantRequest) => Promise<Tenant>
  close: () => Promise<void>
}
