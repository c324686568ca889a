import type { AssertionSpec } from '#lib/domain/browser/contract-spec.ts'
import type { ContractResult } from '#lib/domain/contract.ts'
import type { SeenRequest, Tenant } from '../apps/app-house.ts'
import type { BrowserLease } from '../browser/browser-house.ts'
import { evaluateWorkflow } from '../contracts/browser/evaluate-workflow.ts'

/** The final state as it was judged, and what is kept of it as evidence. */
export type FinalView = {
  contract: ContractResult
  state: unknown
  requests: readonly SeenRequest[]
  url: string | null
  /** PNG; null = the page could not be seen any more. */
  screenshot: Buffer | null
}

/** Reads app and page by our own connections and evaluates the contract. Throws when app or browser are gone. */
export async function readFinalView(
  tenant: Tenant,
  lease: BrowserLease,
  spec: readonly AssertionSpec[],
): Promise<FinalView> {
  const { origin } = tenant
  const page = await lease.read(origin)
  try {
    const [state, requests, url, screenshot] = await Promise.all([
      tenant.state(),
      tenant.requests(),
      page.url(),
      page.screenshot(),
    ])
    // What others sent was refused, and is nothing that the user did.
    const own = requests.filter(isOfUser)
    const contract = await evaluateWorkflow(spec, { origin, state, requests: own, page })
    return { contract, state, requests, url, screenshot }
  } finally {
    await page.close()
  }
}

function isOfUser({ client, path }: SeenRequest): boolean {
  return (client === 'browser' || client === null) && !path.startsWith('//')
}
