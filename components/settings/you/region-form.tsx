"use client";
/** The member's date format and time zone. Rendered only in the browser, which knows both by name. */
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAct } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { browsersReader, momentWords } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { Profile } from "#lib/people/accounts/schema.ts";

const locales =
  "en-GB en-US en-AU en-CA en-IE en-IN cs-CZ da-DK de-AT de-CH de-DE el-GR es-ES es-MX fi-FI fr-CA fr-CH fr-FR he-IL hi-IN hu-HU it-IT ja-JP ko-KR nb-NO nl-BE nl-NL pl-PL pt-BR pt-PT ro-RO sv-SE tr-TR uk-UA vi-VN zh-CN zh-TW".split(
    " ",
  );

const sample = "2026-03-09T14:05:00.000Z";

/** Returns the list sorted and without duplicates, including the chosen value even if it is missing. */
const listed = (chosen: string, all: readonly string[]) => [...new Set([chosen, ...all])].toSorted();

export function RegionForm({ profile }: { profile: Profile }) {
  const browsers = browsersReader();
  const saved = {
    locale: profile.locale ?? browsers.locale,
    timeZone: profile.timeZone ?? browsers.timeZone,
  };
  const [reader, setReader] = useState(saved);
  const router = useRouter();
  const toast = useToast();
  const patch = useAct("profile.patch", { invalidates: ["profile"] });
  const names = new Intl.DisplayNames(["en"], { type: "language" });
  const save = async () => {
    await patch.run(reader);
    toast({ title: "Dates and times changed" });
    router.refresh();
  };
  const isChanged = reader.locale !== saved.locale || reader.timeZone !== saved.timeZone;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save().catch(() => undefined);
      }}
      className="grid gap-4"
    >
      <Field label="Date format" hint={`Example: ${momentWords(sample, reader)}`}>
        <Select
          value={reader.locale}
          onChange={({ target }) => setReader({ ...reader, locale: target.value })}
          options={listed(reader.locale, locales).map((value) => ({
            value,
            label: names.of(value) ?? value,
          }))}
        />
      </Field>
      <Field label="Time zone">
        <Combobox
          what="time zone"
          value={reader.timeZone}
          options={listed(reader.timeZone, ["UTC", ...Intl.supportedValuesOf("timeZone")]).map((value) => ({
            value,
            label: value.replaceAll("_", " "),
          }))}
          onValue={(timeZone) => timeZone && setReader({ ...reader, timeZone })}
        />
      </Field>
      <div>
        <Button type="submit" variant="primary" disabled={!isChanged} busy={patch.isRunning}>
          Change the formats
        </Button>
      </div>
    </form>
  );
}
