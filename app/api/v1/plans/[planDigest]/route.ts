import { planEndpoint } from '#lib/domain/api/index.ts'
import { AppError } from '#lib/errors.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { getRegistrations } from '#lib/server/ingest/registrations.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  planEndpoint,
  async ({ params: { planDigest } }) => {
    const plan = await getRegistrations(planDigest)
    if (plan) return plan
    const message = `no plan ${planDigest.slice(0, 80)} is registered here: register it with proofboard plan --register`
    throw new AppError('not-found', message)
  },
)
