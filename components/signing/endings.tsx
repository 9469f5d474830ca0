"use client";
/** The screens on which nothing can be signed: not yet, or no longer. */
import { Ban, CalendarX, Hourglass, ThumbsDown, UserRoundCheck } from "lucide-react";
import { DateTime } from "#components/ui/time.tsx";
import type { CeremonyState } from "#lib/doors/sign-client.ts";
import { Notice } from "./frame.tsx";
import { People } from "./people.tsx";
import { joinNames, pendingSigners } from "./words.ts";

interface ScreenProps {
  state: CeremonyState;
}

export function NotYourTurn({ state }: ScreenProps) {
  const names = pendingSigners(state);
  return (
    <Notice icon={<Hourglass aria-hidden />} title="It is not your turn yet">
      <p>
        {names.length > 0 ? joinNames(names) : "Others"} {names.length === 1 ? "signs" : "sign"} first. You
        will get an e-mail as soon as it is your turn, and this page continues automatically: there is nothing
        to do until then.
      </p>
      <People people={state.people} />
    </Notice>
  );
}

export function Declined({ state }: ScreenProps) {
  const { ending, sender } = state;
  const isYou = ending?.isYou ?? false;
  return (
    <Notice
      icon={<ThumbsDown aria-hidden />}
      tone="bad"
      title={isYou ? "You declined to sign" : "This was declined"}
    >
      <p>
        {isYou ? "You" : (ending?.by ?? "Someone")} declined to sign
        {ending?.at && (
          <>
            {" "}
            on <DateTime value={ending.at} />
          </>
        )}
        , so no one can sign it any more. {sender.name} has been notified.
      </p>
      <Reason text={ending?.reason} />
      <p>If that was a mistake, ask {sender.name} to send it again.</p>
    </Notice>
  );
}

export function Voided({ state: { ending, sender } }: ScreenProps) {
  return (
    <Notice icon={<Ban aria-hidden />} tone="bad" title="This request was voided">
      <p>
        {sender.name} voided it
        {ending?.at && (
          <>
            {" "}
            on <DateTime value={ending.at} />
          </>
        )}
        . Nothing can be signed any more, and there is nothing for you to do.
      </p>
      <Reason text={ending?.reason} />
    </Notice>
  );
}

export function Expired({ state: { ending, sender } }: ScreenProps) {
  return (
    <Notice icon={<CalendarX aria-hidden />} tone="bad" title="The deadline has passed">
      <p>
        It could be signed until {ending?.at ? <DateTime value={ending.at} /> : "its deadline"}. Ask{" "}
        {sender.name} to extend it: this link will then work again, and what you entered is kept.
      </p>
    </Notice>
  );
}

export function Delegated({ state: { ending, sender } }: ScreenProps) {
  const to = ending?.by ?? "Someone else";
  return (
    <Notice icon={<UserRoundCheck aria-hidden />} title="You delegated this">
      <p>
        {to} signs in your place and has a link of their own
        {ending?.at && (
          <>
            {" "}
            since <DateTime value={ending.at} />
          </>
        )}
        . This link can no longer be used to sign. If that was a mistake, ask {sender.name}.
      </p>
    </Notice>
  );
}

function Reason({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <blockquote className="whitespace-pre-line rounded-lg border border-line bg-paper px-4 py-3 text-ink">
      {text}
    </blockquote>
  );
}
