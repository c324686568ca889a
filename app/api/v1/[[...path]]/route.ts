import { READ_ENDPOINTS, WRITE_ENDPOINTS } from '#lib/domain/api/index.ts'
import { unknownName } from '#lib/domain/text/index.ts'
import { AppError } from '#lib/errors.ts'
import { refuseUnknown } from '#lib/server/http/read-route.ts'

/** Responds to unknown paths of the API with a problem and the nearest known path. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refuseUnknown((path) => {
  if (path === '/')
    return new AppError(
      'not-found',
      'Nothing is here itself: /api/v1/openapi.json has every address.',
    )
  const known = [...READ_ENDPOINTS, ...WRITE_ENDPOINTS].map((endpoint) => endpoint.path)
  return new AppError('not-found', unknownName('address', path.slice(0, 200), known))
})
