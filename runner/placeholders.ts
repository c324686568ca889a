const ANY = /\$\{([^}]*)\}/g

/** Formats a placeholder as files of agents and libraries write it. */
export function asPlaceholder(name: string): string {
  return `\${${name}}`
}

/** Names of all placeholders in a value, known or not, in order. */
export function listPlaceholders(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(ANY)].map((match) => match[1] ?? '')
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(listPlaceholders)
}

/** Replaces placeholders in one pass: inserted values are never scanned again, and unknown names stay as they are. */
export function fillTemplate(
  template: string,
  values: Readonly<Record<string, string>>,
  protect: (value: string) => string = (value) => value,
): string {
  return template.replace(ANY, (whole, name: string) =>
    Object.hasOwn(values, name) ? protect(values[name] ?? '') : whole,
  )
}
