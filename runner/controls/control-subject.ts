import type { Subject } from '#lib/domain/subject.ts'

// Raise it when a control starts to behave differently.
const CONTROL_VERSION = '1.0.0'

/** The identity of a control: ours, versioned, without provider or model. */
export function controlSubject(name: string): Subject {
  return {
    kind: 'control',
    name,
    version: CONTROL_VERSION,
    adapterVersion: null,
    provider: null,
    modelRequested: null,
  }
}
