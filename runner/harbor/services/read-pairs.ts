import { z } from 'zod'

/** `NAME=value` lines, or a map. */
export const pairsSchema = z.union([
  z.array(z.string().max(8000)).max(1000),
  z.record(z.string(), z.union([z.string().max(8000), z.number(), z.boolean()]).nullable()),
])

/** Reads variables; one without a value would be this machine's, unless the task declares it. */
export function readPairs(
  list: z.infer<typeof pairsSchema>,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Array.isArray(list)
    ? list.map((line): [string, string | null] => {
        const at = line.indexOf('=')
        return at < 0 ? [line, null] : [line.slice(0, at), line.slice(at + 1)]
      })
    : Object.entries(list).map(([name, value]): [string, string | null] => [
        name,
        value === null ? null : String(value),
      ])
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (!/^[A-Za-z_][\w.-]*$/.test(name))
        throw new Error(`has the variable ${JSON.stringify(name.slice(0, 60))}, which is no name`)
      const own = value ?? (Object.hasOwn(variables, name) ? variables[name] : undefined)
      if (own === undefined)
        throw new Error(
          `reads the variable ${name} of this machine: list it under [environment.env] of task.toml, or give it a value`,
        )
      return [name, own]
    }),
  )
}
