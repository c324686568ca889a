import { applyEdits, modify } from 'jsonc-parser'

/**
 * Sets one member of a JSON text and leaves every other byte as it was: providers cache prompts by their bytes.
 * Only the last of doubled names would count for a reader, so the caller looks at the result.
 */
export function editMember(text: string, path: readonly string[], value: unknown): string {
  return applyEdits(text, modify(text, [...path], value, {}))
}
