import { headers } from 'next/headers'
import { CorrectionActions, RegradeNote } from '#components/run/run-actions.tsx'
import { Section } from '#components/ui/layout.tsx'
import { findActor } from '#lib/server/accounts/auth.ts'
import { describeRescore, listOffers } from '#lib/server/care/corrections.ts'
import { describeRegrades } from '#lib/server/care/regrade.ts'
import { correctAction, regradeAction } from './correction-actions.ts'

type AdministerProps = { runId: string; episodeId: string | null }

/** Public list of regrades of a run or episode, and corrections for administrators. */
export async function Administer({ runId, episodeId }: AdministerProps) {
  const { lines, isWaiting, refusal } = await describeRegrades(runId, episodeId)
  const actor = await findActor(await headers())
  return (
    <>
      {lines.length > 0 || isWaiting ? (
        <Section id="regrades" title="Regrades">
          <RegradeNote isWaiting={isWaiting} lines={lines} />
        </Section>
      ) : null}
      {actor?.role === 'admin' ? (
        <Section id="corrections" title="Corrections">
          <CorrectionActions
            correct={correctAction}
            noRegrade={refusal}
            offers={
              await listOffers(
                episodeId ?? runId,
                episodeId === null ? null : await describeRescore(episodeId),
              )
            }
            regrade={regradeAction}
            regradeOf={refusal === null ? { runId, episodeId } : null}
            target={episodeId ?? runId}
          />
        </Section>
      ) : null}
    </>
  )
}
