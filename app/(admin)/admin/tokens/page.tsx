import type { Metadata } from 'next'
import { OidcRuleForm, TokenForm } from '#components/admin/admin-forms.tsx'
import { OidcRulesTable, TokenTable } from '#components/admin/tokens.tsx'
import { visibleText } from '#components/ui/format.ts'
import { PageHeading, Section } from '#components/ui/layout.tsx'
import { Notice } from '#components/ui/notice.tsx'
import type { OidcView } from '#lib/domain/api/index.ts'
import { getOidcView } from '#lib/server/accounts/oidc-rules.ts'
import { showTo } from '#lib/server/accounts/show-to.ts'
import { listTokenViews } from '#lib/server/accounts/tokens.ts'
import { guardPage } from '#lib/server/http/guard.ts'
import {
  addTokenAction,
  allowWorkflowAction,
  removeRuleAction,
  revokeTokenAction,
} from './actions.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Tokens' }

/** Creates, lists and revokes API tokens. */
export default async function TokensPage() {
  const actor = await guardPage()
  const isAdmin = actor.role === 'admin'
  const [tokens, oidc] = await showTo(actor, await Promise.all([listTokenViews(), getOidcView()]))
  return (
    <>
      <PageHeading title="Tokens">
        Tokens let programs, such as CI jobs, write to the API. Only a hash of each token is stored.
        Send a token as <code>Authorization: Bearer pb_…</code>
      </PageHeading>
      {tokens.length > 0 ? (
        <TokenTable revoke={isAdmin ? revokeTokenAction : null} tokens={tokens} />
      ) : (
        <Notice title="No tokens yet">
          <p>Reading the API does not need a token.</p>
        </Notice>
      )}
      {isAdmin ? (
        <Section id="add" title="Create token">
          <TokenForm action={addTokenAction} />
        </Section>
      ) : null}
      <Section id="workflows" title="Workflows without a token">
        <Workflows isAdmin={isAdmin} oidc={oidc} />
      </Section>
    </>
  )
}

/** Workflows that authenticate with an OIDC token of their CI, and the issuers that are trusted. */
function Workflows({ oidc, isAdmin }: { oidc: OidcView; isAdmin: boolean }) {
  const { issuers, audience, rules } = oidc
  if (issuers.length === 0)
    return (
      <p className="text-muted">No issuer is trusted, because PROOFBOARD_OIDC_ISSUERS is “none”.</p>
    )
  return (
    <>
      <p className="untrusted mb-3 text-muted">
        A GitHub Actions job with <code>permissions: id-token: write</code> uploads results with{' '}
        <code>proofboard submit</code> under its own identity, with the audience{' '}
        <code>{visibleText(audience)}</code>. Pull requests are never allowed.
      </p>
      {rules.length > 0 ? (
        <OidcRulesTable remove={isAdmin ? removeRuleAction : null} rules={rules} />
      ) : (
        <p className="mb-3">No workflows allowed yet.</p>
      )}
      {isAdmin ? (
        <div className="mt-4">
          <OidcRuleForm action={allowWorkflowAction} />
        </div>
      ) : null}
    </>
  )
}
