import { momentText } from "../../components/Known.tsx";
import { figure, instant } from "../../format.ts";
import { ofOrganization, removeNow } from "../../platform/request.ts";
import { useChange, useResource } from "../../platform/use.ts";
import { readAddress } from "../../route.ts";
import { said, t } from "../../text.ts";
import { shares as WORDS } from "../../words/later/shares.ts";
import { Confirm, Loaded, Panel, Refused } from "./parts.tsx";

interface Share {
  readonly id: string;
  readonly name: string;
  readonly page: string;
  readonly sections: readonly ("fixed" | "profit")[];
  readonly knownAt?: string;
  readonly maker: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly revokedAt?: string;
  readonly openings: number;
  readonly openedAt?: string;
}

/** The pages that are shared, and how often they were opened. */
export function Shares() {
  const words = said(WORDS);
  const resource = useResource<{ data: readonly Share[] }>(ofOrganization("shares"));
  return (
    <Panel title={words.list} lead={words.listLead}>
      <Loaded of={resource}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="note">{words.none}</p>
          ) : (
            <ul class="settings-rows">
              {data.map((share) => (
                <Row key={share.id} share={share} reload={resource.reload} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Row({ share, reload }: { share: Share; reload: () => Promise<void> }) {
  const words = said(WORDS);
  const change = useChange();
  const { name, page, sections, knownAt, maker, createdAt, expiresAt, revokedAt, openings, openedAt } = share;
  const isOver = Date.parse(expiresAt) <= Date.now();
  const until = revokedAt
    ? words.revoked(instant(revokedAt))
    : (isOver ? words.expired : words.until)(instant(expiresAt));
  const facts = [
    knownAt && words.pin(momentText(knownAt)),
    sections.length > 0 && words.sections(sections.map((section) => words[section].toLocaleLowerCase()).join(", ")),
    words.made(maker, instant(createdAt)),
    until,
    openedAt ? words.opened(figure(openings, "count"), instant(openedAt)) : words.unopened,
  ];
  const revoke = async (): Promise<void> => {
    await change.run(() => removeNow(ofOrganization(`shares/${encodeURIComponent(share.id)}`)));
    await reload();
  };
  return (
    <li data-share={revokedAt ? "revoked" : isOver ? "expired" : "open"}>
      <div class="settings-row">
        <div class="settings-row-text">
          <strong>{name}</strong> · {t().frame.views[readAddress(`#/${page}`).view]}
          <br />
          <span class="note">{facts.filter(Boolean).join(" · ")}</span>
        </div>
        {!revokedAt && !isOver && (
          <Confirm
            text={words.revoke}
            of={name}
            question={words.revokeAsk}
            isDisabled={change.isRunning}
            act={() => void revoke()}
          />
        )}
      </div>
      <Refused failure={change.failure} keep={change.forget} />
    </li>
  );
}
