import { withDefaultLimits } from '#lib/domain/planner/index.ts'
import { SCRIPTED } from '#lib/domain/runs/index.ts'
import { OPTION_LIST } from '#lib/domain/settings/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { pluralForm } from '#lib/domain/text/index.ts'
import { usageError } from '../runner-error.ts'
import type { PlannableSubject } from '../subjects/subject-driver.ts'
import { isPriced, type OwnFiles } from './open-providers.ts'
import type { RequestedSettings } from './options.ts'

type LimitOptions = OwnFiles & { settings: RequestedSettings }

/**
 * Returns the settings with the default limits of a subject that calls a model through the gateway, and what they lack.
 */
export function withLimits(
  { settings, ...files }: LimitOptions,
  { subject, metered = false }: Pick<PlannableSubject, 'subject' | 'metered'>,
  { kind, now }: { kind: Suite['kind']; now: string },
): { settings: RequestedSettings; warnings: string[] } {
  const { modelRequested: model, provider } = subject
  if (!metered || model === null) return { settings, warnings: [] }
  const isFlat = settings.login !== undefined
  const hasPrice = !isFlat && (provider === SCRIPTED || isPriced({ subject, settings }, files, now))
  const isOpen = isFlat || hasPrice || settings.maxCostMicroUsd !== undefined
  return {
    settings: withDefaultLimits(settings, { kind, hasPrice }),
    warnings: isOpen
      ? []
      : [
          `no cost limit, so the entry cannot be ranked: "${model}" is not in the price table; give its price with --price 3/15 or --price free`,
        ],
  }
}

/** Rejects pins that cannot be enforced, because a sealed plan would claim them. */
export function refuseUnkeptPins(
  settings: RequestedSettings,
  { subject, metered = false }: Pick<PlannableSubject, 'subject' | 'metered'>,
): void {
  if (metered) return
  const requested = OPTION_LIST.flatMap(({ key, option, needsGateway }) => {
    const isFree = (settings[key] ?? 'provider-fixed') === 'provider-fixed'
    return needsGateway && !isFree ? [option.flag] : []
  })
  if (requested.length > 0)
    throw usageError(
      `"${subject.name}" does not call a model through the gateway, so ${requested.join(', ')} cannot be enforced: remove ${pluralForm(requested.length, 'it', 'them')}`,
      ...requested,
    )
}
