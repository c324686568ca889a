import { z } from 'zod'
import { ledgerDocumentSchema } from '../../archive/index.ts'
import { ledgerEntrySchema, ledgerKeySchema, signedHeadSchema } from '../../ledger/index.ts'
import { nextSchema, pageQuery } from '../page.ts'
import { planDigest, readEndpointsOf } from '../read-endpoint.ts'
import { planRegistrationsSchema } from '../write-endpoint.ts'

const ledgerRead = readEndpointsOf('ledger')

export const ledgerEndpoint = ledgerRead({
  id: 'listLedger',
  path: '/ledger',
  summary: 'List the entries of the public ledger, oldest first, with its verification result',
  query: {
    after: z.coerce
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({ description: 'Only entries after this sequence number.' }),
    ...pageQuery,
    limit: z.coerce.number().int().min(1).max(1000).default(200),
  },
  response: {
    name: 'LedgerPage',
    schema: z.object({
      entries: z.array(ledgerEntrySchema),
      /** The last hash of the whole ledger; null = the ledger is empty. */
      head: z.string().nullable(),
      holds: z.boolean().meta({
        description:
          'Whether the hash chain is intact: what is listed and what was added is compared each time, the whole chain every ten minutes.',
      }),
      /** The first break of the chain, in one sentence; null = intact. */
      broken: z.string().nullable(),
      next: nextSchema,
    }),
  },
})

export const ledgerFileEndpoint = ledgerRead({
  id: 'getLedgerFile',
  path: '/ledger.json',
  summary: 'Download the ledger, for `proofboard server ledger verify --from`',
  response: { name: 'Ledger', schema: ledgerDocumentSchema },
  statuses: [503],
})

export const ledgerHeadEndpoint = ledgerRead({
  id: 'getLedgerHead',
  path: '/ledger/head',
  summary: 'Get the signed head of the ledger, for `proofboard server ledger verify --head`',
  response: { name: 'SignedHead', schema: signedHeadSchema },
  statuses: [404],
})

export const ledgerKeyEndpoint = ledgerRead({
  id: 'getLedgerKey',
  path: '/ledger/key',
  summary: 'Get the public key of the ledger signatures',
  response: { name: 'LedgerKey', schema: ledgerKeySchema },
})

export const planEndpoint = ledgerRead({
  id: 'getPlan',
  path: '/plans/{planDigest}',
  summary: 'Get a registered plan with its sender, time and uploaded runs',
  params: { planDigest },
  response: { name: 'PlanRegistrations', schema: planRegistrationsSchema },
  statuses: [404],
})
