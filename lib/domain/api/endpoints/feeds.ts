import { z } from 'zod'
import { FEED_KINDS, jsonFeedSchema } from '../../formats/index.ts'
import { pageQuery } from '../page.ts'
import { bytesSchema, readEndpointsOf, suiteParameter } from '../read-endpoint.ts'

const ledgerRead = readEndpointsOf('ledger')
const description =
  'Newest first. Ledger entries, and changes of ranked entries between versions or dates: the same agent, model, settings ' +
  'and sender, tested pairwise (paired by task where the tasks are the same) and corrected together over all suites (Holm), ' +
  'so that at most 5 % of feeds contain any false change. A change that is no longer significant leaves the feed. ' +
  'Also at the root of this server: /feed.xml and /feed.json. The ETag is answered before anything is built.'

const query = {
  kind: z
    .enum(FEED_KINDS)
    .optional()
    .meta({ description: 'Only significant changes, or only ledger entries.' }),
  suite: suiteParameter,
  agent: z
    .string()
    .min(1)
    .max(80)
    .optional()
    .meta({ description: 'The name of an agent, a library or a control.' }),
  ...pageQuery,
}

export const atomFeedEndpoint = ledgerRead({
  id: 'getFeed',
  path: '/feed.xml',
  summary: 'Follow the ledger and significant changes, as Atom',
  description,
  query,
  response: { name: 'Atom', schema: bytesSchema },
  types: ['application/atom+xml', 'application/xml', 'text/xml'],
  statuses: [404],
})

export const jsonFeedEndpoint = ledgerRead({
  id: 'getJsonFeed',
  path: '/feed.json',
  summary: 'Follow the ledger and significant changes, as JSON Feed 1.1',
  description,
  query,
  response: { name: 'JsonFeed', schema: jsonFeedSchema },
  types: ['application/feed+json', 'application/json'],
  statuses: [404],
})
