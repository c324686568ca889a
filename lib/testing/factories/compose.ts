import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { ROOT } from '#lib/setup/layout.mjs'

const serviceSchema = z.object({
  image: z.string(),
  build: z.string().optional(),
  restart: z.string().default('no'),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  deploy: z.object({ replicas: z.number() }).optional(),
  depends_on: z.record(z.string(), z.unknown()).default({}),
})
const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.unknown()),
})

/** Reads services and volumes of compose.yaml. */
export function readCompose(): z.infer<typeof composeSchema> {
  const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
  return composeSchema.parse(parse(text, { merge: true }))
}

/** Replaces variables as compose does: with the given value, else with the default. */
export function fillIn(
  environment: Record<string, string>,
  chosen: Record<string, string> = {},
): Record<string, string> {
  const fill = (value: string) =>
    value.replace(
      /\$\{(\w+):(?:-([^}]*)|\?[^}]*)\}/g,
      (_, name, fallback) => chosen[name] ?? fallback ?? 'chosen',
    )
  return Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, fill(value)]))
}
