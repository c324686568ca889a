import { FORMATS, publishSchema, schemaEndpoint } from '#lib/domain/api/index.ts'
import { unknownName } from '#lib/domain/text/index.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondJson } from '#lib/server/http/respond.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  schemaEndpoint,
  async ({ request, params: { name } }) => {
    const format = FORMATS.find((one) => one.name === name)
    const names = FORMATS.map((one) => one.name)
    if (!format) throw new AppError('not-found', unknownName('schema', name.slice(0, 80), names))
    const schema = publishSchema(format, env().publicUrl)
    return respondJson(request, schema, {
      type: 'application/schema+json',
      cacheControl: 'public, max-age=3600',
    })
  },
)
