import { LAUNCH_FIELDS, type LaunchFields } from '#lib/domain/launch/launch-fields.ts'

/** Repeats the submitted form inside another one, so that the reviewed options are the ones that are used. */
export function HiddenFields({ fields }: { fields: LaunchFields }) {
  return LAUNCH_FIELDS.map((field) => (
    <input defaultValue={fields[field]} key={field} name={field} type="hidden" />
  ))
}
