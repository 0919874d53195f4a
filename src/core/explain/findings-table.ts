/** Every finding, said once: how grave it is, what it is to the office and to the customer, its command and its words (rules 10, 12). */
import type { RequestCommand } from '../commands.js';
import type { NeedKind } from '../needs/kinds.js';
import type { SameNames } from '../texts/catalogue.js';
import type { TextKey } from '../texts/index.js';

/** trouble: somebody must act. waiting: it continues on its own, or a person has yet to start. calm: nothing to do. */
export type FindingLevel = 'trouble' | 'waiting' | 'calm';

export type Reply = TextKey extends infer K ? (K extends `reply.${infer Name}` ? Name : never) : never;

interface Words {
  en: string;
  fr: string;
}

/** What it is to the office and to the customer. */
interface Meaning {
  /** Absent: seen only by asking a provider, said once for all requests, fixed by itself when the customer comes, or no trouble. */
  need?: NeedKind;
  /** What to answer the customer; absent when it does not concern the customer, who is told what else is found. */
  reply?: Reply;
}

/** One of several causes: its words stand in place of `%cause%`, its meaning goes before the finding's. */
export type Causes = Readonly<Record<string, Words & Meaning>>;

export interface Entry extends Words, Meaning {
  level: FindingLevel;
  /** A command about the request, or about the installation. given: it depends on more. Absent: none helps. */
  next?: RequestCommand | 'doctor' | 'takeover' | 'given';
  causes?: Causes;
}

/** Keeps the words as types, and refuses French that does not name what the English names. */
function as<const E extends Entry>(entry: E & InFrench<E>): E {
  return entry;
}

type InFrench<E extends Entry> = SameNames<E> &
  (E extends { causes: infer C extends Causes }
    ? { causes: { [Name in keyof C]: SameNames<C[Name]> } }
    : unknown);

export type FindingKey = keyof typeof FINDINGS;

export const FINDINGS = {
  not_started: as({
    level: 'waiting',
    reply: 'preparing',
    next: 'start-signature',
    en: 'Nobody has sent the contract yet. Start the signature to send it.',
    fr: 'Personne n’a encore envoyé le contrat. Lancez la signature pour l’envoyer.',
  }),
  new_too_long: as({
    level: 'trouble',
    need: 'new_request',
    reply: 'preparing',
    next: 'start-signature',
    en: 'The request has been new since %date%, and nobody has sent the contract yet. Start the signature to send it, or cancel the request.',
    fr: 'La demande est nouvelle depuis le %date%, et personne n’a encore envoyé le contrat. Lancez la signature pour l’envoyer, ou annulez la demande.',
  }),
  signer_invalid: as({
    level: 'trouble',
    need: 'not_sent',
    reply: 'preparing',
    next: 'given',
    en: 'The signature provider will not accept the customer’s %cause% with the command below, then start the signature.',
    fr: 'Le prestataire de signature n’acceptera pas %cause% avec la commande ci-dessous, puis lancez la signature.',
    causes: {
      name: {
        en: 'name “%name%”. Correct the first and last name of %email%',
        fr: 'le nom du client « %name% ». Corrigez le prénom et le nom de %email%',
      },
      letter: {
        en: 'name “%name%”: it does not allow “%letter%” in a name. Correct the name of %email%',
        fr: 'le nom du client « %name% » : il n’admet pas « %letter% » dans un nom. Corrigez le nom de %email%',
      },
      email: {
        en: 'e-mail address “%email%”. It accepts at most 100 characters: unaccented letters, digits and . _ + -, and a domain with a dot. Correct the address',
        fr: 'l’adresse e-mail du client « %email% ». Il admet au plus 100 caractères : des lettres sans accent, des chiffres, les caractères . _ + - et un domaine avec un point. Corrigez l’adresse',
      },
    },
  }),
  start_unfinished: as({
    level: 'trouble',
    need: 'not_sent',
    reply: 'preparing',
    next: 'given',
    en: 'The customer has received nothing: %cause%',
    fr: 'Le client n’a rien reçu : %cause%',
    causes: {
      interrupted: {
        en: 'sending the contract was interrupted. Start the signature again to continue.',
        fr: 'l’envoi du contrat a été interrompu. Relancez la signature pour continuer.',
      },
      pdf_lost: {
        en: 'sending the contract was interrupted, and the PDF that was supplied for it is no longer here. Start the signature again, and supply the PDF again.',
        fr: 'l’envoi du contrat a été interrompu, et le PDF fourni n’est plus disponible. Relancez la signature en fournissant le PDF à nouveau.',
      },
      refused: {
        en: 'the contract could not be sent. %why% Then start the signature again.',
        fr: 'le contrat n’a pas pu être envoyé. %why% Relancez ensuite la signature.',
      },
    },
  }),
  reset_unfinished: as({
    level: 'trouble',
    need: 'not_sent',
    reply: 'new_contract',
    next: 'given',
    en: 'The customer has nothing to sign: %cause%',
    fr: 'Le client n’a rien à signer : %cause%',
    causes: {
      interrupted: {
        en: 'sending the contract was interrupted. Send a new contract to continue.',
        fr: 'l’envoi du contrat a été interrompu. Envoyez un nouveau contrat pour continuer.',
      },
      refused: {
        en: 'the new contract could not be sent. %why% Then send a new contract.',
        fr: 'le nouveau contrat n’a pas pu être envoyé. %why% Envoyez ensuite un nouveau contrat.',
      },
      missing: {
        en: 'the request is waiting for a signature, but it has no contract. Send a new one.',
        fr: 'la demande attend une signature, mais elle n’a pas de contrat. Envoyez-en un nouveau.',
      },
      draft: {
        en: 'the signature provider still has the contract as a draft. Send a new one.',
        fr: 'le contrat est encore un brouillon chez le prestataire de signature. Envoyez-en un nouveau.',
      },
      closed: {
        en: 'the contract was withdrawn, and no new one was sent. Send one now.',
        fr: 'le contrat a été retiré, et aucun nouveau n’a été envoyé. Envoyez-en un maintenant.',
      },
    },
  }),
  unpayable: as({
    level: 'trouble',
    next: 'given',
    en: 'The price of %price% cannot be paid online. %fault% %cause%',
    fr: 'Le prix de %price% ne peut pas être payé en ligne. %fault% %cause%',
    causes: {
      unsent: {
        need: 'not_sent',
        reply: 'preparing',
        en: 'So the contract is not sent: make another offer for the request, then start the signature.',
        fr: 'Le contrat n’est donc pas envoyé : faites une autre offre pour la demande, puis lancez la signature.',
      },
      sent: {
        need: 'payment',
        reply: 'new_contract',
        en: 'The contract is already with the customer: make another offer for the request, then send a new contract; it will have the new price.',
        fr: 'Le contrat est déjà chez le client : faites une autre offre pour la demande, puis envoyez un nouveau contrat ; il portera le nouveau prix.',
      },
      signed: {
        need: 'payment',
        reply: 'checking',
        en: 'The contract is signed: agree with the customer on another way to pay, then mark the request as paid.',
        fr: 'Le contrat est signé : convenez avec le client d’un autre moyen de paiement, puis marquez la demande comme payée.',
      },
    },
  }),
  sent_unrecorded: as({
    level: 'trouble',
    need: 'not_sent',
    next: 'check-signature',
    en: '%cause% A check brings the request up to date.',
    fr: '%cause% Une vérification met la demande à jour.',
    causes: {
      unknown: {
        reply: 'checking',
        en: 'The signature provider was asked to send the contract, but its answer never arrived: the customer may have the contract. Starting the signature again is safe: no second contract is sent.',
        fr: 'L’envoi du contrat a été demandé au prestataire de signature, dont la réponse n’est jamais arrivée : le client l’a peut-être reçu. Vous pouvez relancer la signature sans risque : aucun second contrat n’est envoyé.',
      },
      unsigned: {
        reply: 'sign',
        en: 'The contract is with the customer, although sending it was interrupted here.',
        fr: 'Le contrat est chez le client, bien que son envoi ait été interrompu ici.',
      },
      signed: {
        reply: 'signed',
        en: 'The customer has signed the contract, although sending it was interrupted here.',
        fr: 'Le client a signé le contrat, bien que son envoi ait été interrompu ici.',
      },
    },
  }),
  busy: as({
    level: 'waiting',
    reply: 'checking',
    next: 'explain',
    en: 'Someone is working on this request right now. Look again in a moment.',
    fr: 'Cette demande est en cours de traitement. Regardez à nouveau dans un instant.',
  }),
  provider_unusable: as({
    level: 'trouble',
    reply: 'checking',
    next: 'given',
    en: 'The %provider% %cause%',
    fr: 'Le %provider% %cause%',
    causes: {
      refuses_key: {
        en: 'refuses our API key. Until %key% is corrected, nothing can be sent to it or checked there.',
        fr: 'refuse notre clé d’API : tant que %key% n’est pas corrigée, rien ne peut y être envoyé ni vérifié.',
      },
      forbids: {
        en: 'does not permit this: %error%. Either %key% is the wrong key, or the account lacks a feature.',
        fr: 'ne le permet pas : %error%. Soit %key% n’est pas la bonne clé, soit il manque une option au compte.',
      },
      unrecognised: {
        en: 'answered 404, but not in its own format: a proxy answered, or something else at the address in %address%. Nothing is lost.',
        fr: 'a répondu 404, mais pas dans son propre format : la réponse vient d’un proxy, ou d’autre chose à l’adresse indiquée dans %address%. Rien n’est perdu.',
      },
      down: {
        en: 'gave no usable answer: %error%. Nothing is lost; check again later.',
        fr: 'n’a donné aucune réponse utilisable : %error%. Rien n’est perdu ; vérifiez à nouveau plus tard.',
      },
    },
  }),
  signature_case: as({
    level: 'trouble',
    next: 'given',
    en: 'The customer signed %cause%',
    fr: 'Le client a signé %cause%',
    causes: {
      late: {
        need: 'late',
        reply: 'late',
        en: 'after the deadline, or cannot be shown to have signed before it, so the signature does not count. Ask the customer whether the contract should stand. If so, run `%command%`; if not, send a new one.',
        fr: 'après la date limite, ou rien ne prouve que c’était avant : la signature ne compte pas. Demandez au client si le contrat doit être maintenu. Si oui, lancez « %command% » ; sinon, envoyez-en un nouveau.',
      },
      replaced_before: {
        need: 'signed_elsewhere',
        reply: 'replaced',
        en: 'contract %old%, but contract %contract% had already replaced it; only the new one counts. Send the customer its link, which the command below shows.',
        fr: 'le contrat %old%, que le contrat %contract% avait déjà remplacé ; seul le nouveau compte. Donnez au client son lien, que la commande affiche.',
      },
      replaced_since: {
        need: 'signed_elsewhere',
        reply: 'replaced',
        en: 'contract %old%, which contract %contract% has since replaced; only the new one counts. Explain this to the customer and send the link to the new one, which the command below shows.',
        fr: 'le contrat %old%, et le contrat %contract% l’a remplacé depuis ; seul celui-ci compte. Expliquez-le au client et envoyez-lui le lien du nouveau contrat, que la commande affiche.',
      },
      canceled_signed: {
        need: 'signed_elsewhere',
        reply: 'after_cancel',
        en: 'the contract after the request was canceled. The signature does not count. Talk to the customer; then reopen the request (`%command%`), or settle the case with a reason.',
        fr: 'le contrat après l’annulation de la demande. La signature ne compte pas. Parlez-en au client ; puis rouvrez la demande (« %command% »), ou réglez le cas avec un motif.',
      },
      erased_signed: {
        need: 'signed_elsewhere',
        en: 'the contract after the request was canceled. The signature does not count. The customer’s data has been erased: settle the case with a reason.',
        fr: 'le contrat après l’annulation de la demande. La signature ne compte pas. Les données du client ont été effacées : réglez le cas avec un motif.',
      },
    },
  }),
  foreign_signature: as({
    level: 'trouble',
    need: 'foreign',
    reply: 'new_contract',
    next: 'reset-signature',
    en: 'The signature request recorded for this contract does not belong to it: its name, signer or creation time does not match. Nothing from it was used. Check in the provider’s console where it comes from. If it is this customer’s, but has a corrected address that was lost in a restore, correct the address again (`%command%`) and check the signature. Otherwise send a new contract.',
    fr: 'La demande de signature enregistrée pour ce contrat n’est pas la sienne : son nom, son signataire ou sa date de création ne concorde pas. Rien n’en a été repris. Vérifiez dans la console du prestataire d’où elle vient. Si elle est bien à ce client, sous une adresse corrigée puis perdue lors d’une restauration, corrigez de nouveau l’adresse (« %command% ») et vérifiez la signature. Sinon, envoyez un nouveau contrat.',
  }),
  second_document: as({
    level: 'trouble',
    reply: 'checking',
    next: 'given',
    en: 'There is a second document under this contract’s name at the signature provider (%sign%), %cause%',
    fr: 'Il y a un second document au nom de ce contrat chez le prestataire de signature (%sign%), %cause%',
    causes: {
      signed: {
        en: 'and the customer has signed it. It counts only if you accept it. Look at it in the provider’s console: if it is what was agreed, accept the signature; if not, settle the case.',
        fr: 'et le client l’a signé. Il ne compte que si vous l’acceptez. Examinez-le dans la console du prestataire : s’il correspond à ce qui était convenu, acceptez la signature ; sinon, réglez le cas.',
      },
      open: {
        en: 'still open, so the customer may sign the wrong one. Settle the case: this document is then canceled, and the other stays.',
        fr: 'encore ouvert : le client risque de signer le mauvais. Réglez le cas : ce document sera annulé, et l’autre restera valable.',
      },
    },
  }),
  waiting_for_customer: as({
    level: 'calm',
    reply: 'sign',
    en: 'The contract is with the customer, who has not signed yet and can do so until %date%.',
    fr: 'Le contrat est chez le client, qui n’a pas encore signé et peut le faire jusqu’au %date%.',
  }),
  status_unknown: as({
    level: 'waiting',
    reply: 'checking',
    en: 'The signature provider reports the status “%status%”. It must be dealt with in the provider’s console; nothing can be done here.',
    fr: 'Le prestataire de signature indique l’état « %status% ». Il faut agir dans sa console ; rien ne peut être fait ici.',
  }),
  signature_not_asked: as({
    level: 'waiting',
    reply: 'sign',
    next: 'check-signature',
    en: 'As far as we know, the customer has not signed yet; the signature provider was not asked.',
    fr: 'À notre connaissance, le client n’a pas encore signé ; le prestataire de signature n’a pas été interrogé.',
  }),
  sign_link_over: as({
    level: 'trouble',
    reply: 'sign',
    next: 'given',
    en: 'The customer has not signed, and the signing link has expired. Show the contract to get a new link for the customer.',
    fr: 'Le client n’a pas signé, et le lien de signature a expiré. Affichez le contrat pour obtenir un nouveau lien à donner au client.',
  }),
  ended: as({
    level: 'trouble',
    need: 'ended',
    reply: 'new_contract',
    next: 'given',
    en: '%cause% If the work is still wanted, %again%',
    fr: '%cause% Si les travaux sont toujours souhaités, %again%',
    causes: {
      declined: {
        reply: 'declined',
        en: 'The customer declined the contract.',
        fr: 'Le client a refusé le contrat.',
      },
      declined_because: {
        reply: 'declined',
        en: 'The customer declined the contract: “%reason%”.',
        fr: 'Le client a refusé le contrat : « %reason% ».',
      },
      canceled: {
        en: 'The contract was canceled at the signature provider.',
        fr: 'Le contrat a été annulé chez le prestataire de signature.',
      },
      signer_error: {
        en: 'An error occurred at the signature provider while the customer was signing. The provider cancels the contract then. The document may be damaged.',
        fr: 'Une erreur s’est produite chez le prestataire de signature pendant que le client signait ; le prestataire annule alors le contrat. Le document est peut-être endommagé.',
      },
      rejected: {
        en: 'The contract was rejected at the signature provider.',
        fr: 'Le contrat a été rejeté chez le prestataire de signature.',
      },
      deleted: {
        en: 'The contract was deleted at the signature provider.',
        fr: 'Le contrat a été supprimé chez le prestataire de signature.',
      },
      not_found: {
        en: 'The signature provider no longer knows this contract.',
        fr: 'Le prestataire de signature ne connaît plus ce contrat.',
      },
      expired: {
        need: 'expired',
        reply: 'sign_over',
        en: 'The time to sign ran out at the signature provider.',
        fr: 'Le délai de signature est écoulé chez le prestataire de signature.',
      },
      date_passed: {
        need: 'expired',
        reply: 'sign_over',
        en: 'The deadline for signing has passed, and the customer had not signed.',
        fr: 'La date limite de signature est passée, et le client n’avait pas signé.',
      },
      open_there: {
        en: '%why%. However, the signature provider now says that the contract can still be signed there; such a signature would not count, and sending a new contract cancels it there.',
        fr: '%why%. Le prestataire de signature indique pourtant que le contrat peut encore y être signé ; une telle signature ne compterait pas, et l’envoi d’un nouveau contrat l’y annule.',
      },
    },
  }),
  completion_stuck: as({
    level: 'trouble',
    need: 'job_failed',
    reply: 'signed',
    next: 'given',
    en: 'The customer has signed and the webhook came, but the signed contract could not be stored%cause%',
    fr: 'Le client a signé et le webhook est arrivé, mais le contrat signé %cause%',
    causes: {
      failed: {
        en: ', and no attempts are left: %error%. Fix the cause, then run the job again.',
        fr: 'n’a pas pu être enregistré, et toutes les tentatives sont épuisées : %error%. Corrigez la cause, puis relancez la tâche.',
      },
      retrying: {
        en: ' yet: %error%. It will be retried automatically; the command below retries now.',
        fr: 'n’a pas encore pu être enregistré : %error%. Une nouvelle tentative aura lieu automatiquement ; la commande ci-dessous réessaie tout de suite.',
      },
    },
  }),
  payment_job_stuck: as({
    level: 'trouble',
    reply: 'pay_soon',
    next: 'given',
    en: 'The contract is signed, but the payment link could not be created%cause%',
    fr: 'Le contrat est signé, mais le lien de paiement %cause%',
    causes: {
      failed: {
        need: 'job_failed',
        en: ', and no attempts are left: %error%. Fix the cause, then run the job again.',
        fr: 'n’a pas pu être créé, et toutes les tentatives sont épuisées : %error%. Corrigez la cause, puis relancez la tâche.',
      },
      retrying: {
        en: ' yet: %error%. It will be retried automatically; the command below retries now.',
        fr: 'n’a pas encore pu être créé : %error%. Une nouvelle tentative aura lieu automatiquement ; la commande ci-dessous réessaie tout de suite.',
      },
    },
  }),
  webhook_missed: as({
    level: 'trouble',
    next: 'given',
    en: 'The customer has %done%, but %cause% %fix%',
    fr: 'Le client a %done%, mais %cause% %fix%',
    causes: {
      lost: {
        en: 'the %provider%’s webhook never reached us.',
        fr: 'le webhook du %provider% ne nous est jamais parvenu.',
      },
      rejected: { en: 'the webhook was rejected.', fr: 'le webhook a été rejeté.' },
      wrong_signature: {
        en: 'the webhook was rejected because its signature was wrong: the secret at the %provider% is not the one in %secret%. Make the two equal, so that the next ones are accepted.',
        fr: 'le webhook a été rejeté, car sa signature était incorrecte : le secret chez le %provider% n’est pas celui de %secret%. Faites-les concorder pour que les suivants soient acceptés.',
      },
      thin: {
        en: 'the webhook was rejected because it does not say what was paid: the endpoint at the %provider% is set up for thin payloads. Switch it to snapshot payloads.',
        fr: 'le webhook a été rejeté, car il ne dit pas ce qui a été payé : le point de terminaison chez le %provider% est configuré pour des contenus allégés (« thin »). Passez-le aux contenus complets (« snapshot »).',
      },
      off: {
        en: 'the %provider%’s webhooks are switched off: %secret% is not set.',
        fr: 'les webhooks du %provider% sont désactivés : %secret% n’est pas défini.',
      },
    },
  }),
  payment_missing: as({
    level: 'trouble',
    need: 'payment',
    next: 'payments renew',
    en: '%cause% Renewing creates a new payment link and sends it to the customer.',
    fr: '%cause% Le renouvellement crée un nouveau lien de paiement et l’envoie au client.',
    causes: {
      unmade: {
        reply: 'pay_soon',
        en: 'The contract is signed, but there is no payment link, and none is being created.',
        fr: 'Le contrat est signé, mais il n’y a pas de lien de paiement, et aucun n’est en préparation.',
      },
      gone: {
        reply: 'pay',
        en: 'The payment provider no longer knows the payment link.',
        fr: 'Le prestataire de paiement ne connaît plus le lien de paiement.',
      },
      refused: {
        reply: 'pay_failed',
        en: 'The bank declined the payment.',
        fr: 'La banque a refusé le paiement.',
      },
    },
  }),
  payment_not_asked: as({
    level: 'waiting',
    reply: 'pay',
    next: 'payments check',
    en: 'As far as we know, the customer has not paid yet; the payment provider was not asked.',
    fr: 'À notre connaissance, le client n’a pas encore payé ; le prestataire de paiement n’a pas été interrogé.',
  }),
  payment_pending: as({
    level: 'waiting',
    reply: 'pay_pending',
    next: 'payments check',
    en: 'The customer has paid by a method that takes days: the money has been on its way since %date%. Usually you only have to wait; a check asks whether it has arrived. If the customer says that the payment failed, look in the payment provider’s console: if it says so too, stop waiting for the money.',
    fr: 'Le client a payé par un moyen qui prend quelques jours : l’argent est en route depuis le %date%. Il suffit en général d’attendre ; une vérification demande s’il est arrivé. Si le client dit que le paiement a échoué, regardez dans la console du prestataire de paiement : si elle le confirme, cessez d’attendre l’argent.',
  }),
  payment_pending_long: as({
    level: 'trouble',
    need: 'payment',
    next: 'given',
    en: 'The customer’s money has been on its way since %date%, %cause% `%command%` stops the wait: the customer can then pay again.',
    fr: 'L’argent du client est en route depuis le %date%, %cause% « %command% » met fin à l’attente : le client peut alors payer à nouveau.',
    causes: {
      long: {
        reply: 'pay_pending',
        en: 'longer than bank transfers take. A check asks again. If the payment provider’s console says that the payment failed,',
        fr: 'plus longtemps que ne dure un virement. Une vérification interroge à nouveau le prestataire. Si la console du prestataire de paiement indique un échec,',
      },
      gone: {
        reply: 'pay_check',
        en: 'and the payment provider no longer knows the payment: ESIGN_PAYMENT_API_KEY may belong to another account. Until this is cleared up, no new link is made, so that nobody pays twice. If the account is the right one and its console shows no such payment,',
        fr: 'et le prestataire de paiement ne connaît plus ce paiement : ESIGN_PAYMENT_API_KEY appartient peut-être à un autre compte. Aucun nouveau lien n’est créé tant que ce point n’est pas éclairci, pour que personne ne paie deux fois. Si le compte est le bon et que sa console ne montre pas ce paiement,',
      },
    },
  }),
  payment_over: as({
    level: 'waiting',
    reply: 'pay',
    next: 'payments renew',
    en: '%cause%. The link in the customer’s e-mail opens a new page; renewing creates one now and sends the link again.',
    fr: '%cause%. Le lien de l’e-mail envoyé au client en ouvre une nouvelle ; le renouvellement en crée une tout de suite et renvoie le lien.',
    causes: {
      expired: {
        en: 'The payment page has expired, and no payment has been reported',
        fr: 'La page de paiement a expiré, et aucun paiement n’a été signalé',
      },
      settled: {
        en: 'The payment that did not count is settled, and there is no payment page now',
        fr: 'Le cas du paiement qui ne comptait pas est réglé, et il n’y a pas de page de paiement pour le moment',
      },
      given_up: {
        en: 'The office no longer waits for the payment, and there is no payment page now',
        fr: 'Le bureau n’attend plus le paiement, et il n’y a pas de page de paiement pour le moment',
      },
    },
  }),
  waiting_for_payment: as({
    level: 'calm',
    reply: 'pay',
    en: 'The contract is signed, and the customer has a payment link that works but has not paid yet.',
    fr: 'Le contrat est signé, et le client a un lien de paiement valable mais n’a pas encore payé.',
  }),
  unpaid_long: as({
    level: 'trouble',
    need: 'unpaid',
    reply: 'pay',
    next: 'requests remind',
    en: 'The contract is signed, but the payment has been outstanding since %date%, and no more reminders are sent automatically. Call the customer; a reminder sends the payment link again.',
    fr: 'Le contrat est signé, mais le paiement est attendu depuis le %date%, et plus aucun rappel n’est envoyé automatiquement. Appelez le client ; un rappel lui renvoie le lien de paiement.',
  }),
  payment_undecided: as({
    level: 'waiting',
    reply: 'pay_check',
    next: 'payments check',
    en: 'A payment that does not count needs a decision, but the money from another payment is still on its way. Wait until that money has arrived or that payment has failed; a check asks the payment provider.',
    fr: 'Un paiement qui ne compte pas attend une décision, mais l’argent d’un autre paiement est encore en route. Attendez que cet argent soit arrivé ou que ce paiement ait échoué ; une vérification interroge le prestataire de paiement.',
  }),
  payment_case: as({
    level: 'trouble',
    need: 'payment',
    reply: 'pay_check',
    next: 'given',
    en: 'The customer has paid, but %cause%',
    fr: 'Le client a payé, mais %cause%',
    causes: {
      old_session_paid: {
        en: 'through the link of an earlier contract (%payments%). If you accept the payment, mark the request as paid; otherwise refund it and run `%command%`.',
        fr: 'par le lien d’un contrat précédent (%payments%). Si vous acceptez le paiement, marquez la demande comme payée ; sinon, remboursez-le et lancez « %command% ».',
      },
      other_price: {
        en: 'not the price of %price%: %payments%. The payment was not applied. If you accept it, run `%command%`; otherwise refund it at the payment provider, then renew the payment link with a reason.',
        fr: 'pas le prix de %price% : %payments%. Le paiement n’a pas été pris en compte. Si vous l’acceptez, lancez « %command% » ; sinon, remboursez-le chez le prestataire de paiement, puis renouvelez le lien de paiement en donnant un motif.',
      },
      other_price_there: {
        en: '%paid% instead of %price%, according to the payment provider. Run a check to record it, then decide whether it counts.',
        fr: '%paid% au lieu de %price%, d’après le prestataire de paiement. Lancez une vérification pour l’enregistrer, puis décidez si ce paiement compte.',
      },
      several_payments: {
        en: 'several payments do not count and need a decision: %payments%. Marking the request as paid accepts %accepted%; refund the rest afterwards. If you accept none of them, refund them all, then renew the payment link with a reason.',
        fr: 'plusieurs paiements ne comptent pas et attendent une décision : %payments%. Marquer la demande comme payée accepte %accepted% ; remboursez ensuite les autres. Si vous n’en acceptez aucun, remboursez-les tous, puis renouvelez le lien de paiement en donnant un motif.',
      },
      paid_unsigned: {
        en: 'no signature is known here; after a restore, it may be missing. Check the signature: if the contract is signed, the payment counts.',
        fr: 'aucune signature n’est connue ici ; après une restauration, elle peut manquer. Vérifiez la signature : si le contrat est signé, le paiement compte.',
      },
      earlier_contract_paid: {
        en: 'the payment does not count: it was made for an earlier contract, or its amount or currency does not match the price. If you accept it, wait until the next contract is signed, then mark the request as paid. Otherwise refund %payments% at the payment provider and settle the case with a reason. Until then the customer gets no payment link.',
        fr: 'ce paiement ne compte pas : il a été fait pour un contrat précédent, ou son montant ou sa devise ne correspond pas au prix. Si vous l’acceptez, attendez que le prochain contrat soit signé, puis marquez la demande comme payée. Sinon, remboursez %payments% chez le prestataire de paiement et réglez le cas avec un motif. D’ici là, le client ne reçoit aucun lien de paiement.',
      },
      paid_twice: {
        en: 'more than was due, and the request is complete. Refund %payments% at the payment provider, then settle the case with a reason.',
        fr: 'plus qu’il ne devait, et la demande est terminée. Remboursez %payments% chez le prestataire de paiement, puis réglez le cas avec un motif.',
      },
      canceled_paid: {
        reply: 'after_cancel',
        en: 'the request is canceled. Refund %payments% at the payment provider and settle the case with a reason. Or agree on the work with the customer, reopen the request (`%command%`) and, once the new contract is signed, mark the request as paid; this accepts the payment.',
        fr: 'la demande est annulée. Remboursez %payments% chez le prestataire de paiement et réglez le cas avec un motif. Ou bien convenez des travaux avec le client, rouvrez la demande (« %command% ») et, une fois le nouveau contrat signé, marquez-la comme payée : le paiement est alors accepté.',
      },
      erased_paid: {
        en: 'the request is canceled, and the customer’s data has been erased. Refund %payments% at the payment provider and settle the case with a reason.',
        fr: 'la demande est annulée, et les données du client ont été effacées. Remboursez %payments% chez le prestataire de paiement et réglez le cas avec un motif.',
      },
    },
  }),
  second_payment_long: as({
    level: 'trouble',
    need: 'payment',
    next: 'given',
    en: 'The money from a payment that does not count has been on its way since %date%, longer than bank transfers take. If the payment provider’s console says that the payment failed, stop waiting for it; otherwise it is refunded once it arrives.',
    fr: 'L’argent d’un paiement qui ne compte pas est en route depuis le %date%, plus longtemps que ne dure un virement. Si la console du prestataire de paiement indique un échec, cessez de l’attendre ; sinon, il est à rembourser à son arrivée.',
  }),
  second_payment_pending: as({
    level: 'waiting',
    en: '%cause%',
    fr: '%cause%',
    causes: {
      uncounted: {
        en: 'The money from a payment that does not count has been on its way since %date%. If it arrives, the office gets a mail and decides whether to refund it.',
        fr: 'L’argent d’un paiement qui ne compte pas est en route depuis le %date%. S’il arrive, le bureau reçoit un e-mail et décide s’il faut le rembourser.',
      },
      given_up: {
        en: 'The office stopped waiting for money that has been on its way since %date%. If it arrives after all, it counts if the request still waits for a payment; otherwise the office gets a mail and decides whether to refund it.',
        fr: 'Le bureau n’attend plus l’argent qui est en route depuis le %date%. S’il arrive malgré tout, il compte si la demande attend encore un paiement ; sinon, le bureau reçoit un e-mail et décide s’il faut le rembourser.',
      },
    },
  }),
  term_ends: as({
    level: 'trouble',
    need: 'term_ends',
    reply: 'complete',
    next: 'renew',
    en: 'The term of the signed contract %cause% %date%. Renewing it makes a new request for the same customer and equipment; if it is not to be renewed, settle the case with a reason.',
    fr: 'Le contrat signé %cause% %date%. Son renouvellement crée une nouvelle demande pour le même client et le même équipement ; s’il ne doit pas être renouvelé, réglez le cas avec un motif.',
    causes: {
      soon: { en: 'ends on', fr: 'prend fin le' },
      over: { en: 'ended on', fr: 'a pris fin le' },
    },
  }),
  term_over: as({
    level: 'calm',
    reply: 'complete',
    next: 'renew',
    en: 'The term of the signed contract ended on %date%, and no request renews it. Renewing it makes one.',
    fr: 'Le contrat signé a pris fin le %date%, et aucune demande ne le renouvelle. Son renouvellement en crée une.',
  }),
  renewed: as({
    level: 'calm',
    reply: 'complete',
    en: 'The request is complete. Its contract is renewed by request %request%.',
    fr: 'La demande est terminée. Son contrat est renouvelé par la demande %request%.',
  }),
  finished: as({
    level: 'calm',
    en: 'The request is %cause%',
    fr: 'La demande est %cause%',
    causes: {
      complete: { reply: 'complete', en: 'complete.', fr: 'terminée.' },
      canceled: {
        reply: 'canceled',
        en: 'canceled. If the work is wanted after all, `%command%` makes it new again.',
        fr: 'annulée. Si les travaux sont finalement souhaités, « %command% » la remet à l’état nouveau.',
      },
      erased: {
        en: 'canceled. The customer’s data has been erased.',
        fr: 'annulée. Les données du client ont été effacées.',
      },
    },
  }),
  pdf_lost: as({
    level: 'trouble',
    need: 'document',
    next: 'given',
    en: 'The signed PDF of contract %contract% %cause%. Fetch it again from the signature provider.',
    fr: 'Le PDF signé du contrat %contract% %cause%. La commande le récupère chez le prestataire de signature.',
    causes: {
      missing: { en: 'is no longer on disk', fr: 'n’est plus sur le disque' },
      damaged: {
        en: 'on disk is not the one that was stored: it has been damaged or changed',
        fr: 'sur le disque n’est pas celui qui a été enregistré : il a été abîmé ou modifié',
      },
    },
  }),
  subscription_disabled: as({
    level: 'trouble',
    next: 'given',
    en: 'Webhook %webhook% did not report this request: it was switched off because its receiver kept failing or said that it was gone. Switch it on again once the receiver works.',
    fr: 'Le webhook %webhook% n’a pas signalé cette demande : il a été désactivé, car son destinataire échouait sans cesse ou a répondu qu’il n’existe plus. Réactivez-le quand le destinataire fonctionne à nouveau.',
  }),
  delivery_missed: as({
    level: 'waiting',
    next: 'given',
    en: 'Outbound webhooks about this request never arrived because the webhook was off: delivery %deliveries%. They can be sent again.',
    fr: 'Des webhooks sortants sur cette demande ne sont jamais arrivés, car le webhook était désactivé : %deliveries%. Ils peuvent être renvoyés.',
  }),
  mail_refused: as({
    level: 'trouble',
    next: 'given',
    en: 'The mail server does not accept %cause%',
    fr: 'Le serveur de messagerie refuse %cause%',
    causes: {
      customer: {
        need: 'mail_refused',
        en: 'mail for the customer’s address: %error%. Not sent: %names%. Correct the address with the command below: the refused e-mails are then sent again.',
        fr: 'l’adresse du client : %error%. Non envoyé : %names%. Corrigez l’adresse avec la commande ci-dessous : les e-mails refusés sont alors renvoyés.',
      },
      other: {
        need: 'mail_refused',
        en: 'mail for this address: %error%. Not sent: %names%. Contact the recipient another way, and run the job again once the address works.',
        fr: 'cette adresse : %error%. Non envoyé : %names%. Prévenez le destinataire autrement, et relancez la tâche quand l’adresse fonctionne.',
      },
      // Needs the office once for all requests.
      server: {
        en: 'any mail from us: %error%. Not sent: %names%. The customer’s address is not the cause.',
        fr: 'tous nos messages : %error%. Non envoyé : %names%. L’adresse du client n’est pas en cause.',
      },
    },
  }),
  signer_refused: as({
    level: 'trouble',
    need: 'mail_refused',
    reply: 'sign',
    next: 'given',
    en: 'The signature provider could not deliver its e-mail to the customer’s address. Correct it with the command below: the provider then sends the link again.',
    fr: 'Le prestataire de signature n’a pas pu remettre son e-mail à l’adresse du client. Corrigez-la avec la commande ci-dessous : le prestataire renvoie alors le lien.',
  }),
  signer_differs: as({
    level: 'trouble',
    need: 'signer',
    reply: 'sign',
    next: 'given',
    en: 'The customer’s address was corrected, but the signature provider still has the old one, %old%. Last error: %error%. The command below tries again; if the provider will not change it, send a new contract.',
    fr: 'L’adresse du client a été corrigée, mais le prestataire de signature a toujours l’ancienne, %old%. Dernière erreur : %error%. La commande ci-dessous réessaie ; si le prestataire refuse de la changer, envoyez un nouveau contrat.',
  }),
  jobs_failed: as({
    level: 'trouble',
    need: 'job_failed',
    next: 'given',
    en: 'Failed for good: %names%. Error: %error%. Fix the cause, then run it again.',
    fr: 'Échec définitif : %names%. Erreur : %error%. Corrigez la cause, puis relancez.',
  }),
  jobs_retrying: as({
    level: 'waiting',
    next: 'given',
    en: 'Not done yet: %names%. Last error: %error%. It will be retried automatically; the command below retries now.',
    fr: 'Pas encore fait : %names%. Dernière erreur : %error%. Une nouvelle tentative aura lieu automatiquement ; la commande ci-dessous réessaie tout de suite.',
  }),
  daemon_down: as({
    level: 'trouble',
    next: 'given',
    en: 'Jobs are waiting, but esignd is not running. Start it, or run them now with the command below.',
    fr: 'Des tâches attendent, mais esignd ne tourne pas. Démarrez-le, ou exécutez-les tout de suite avec la commande ci-dessous.',
  }),
  held: as({
    level: 'trouble',
    next: 'takeover',
    en: 'The data was restored and is held: nothing is sent until it has been compared with the providers.',
    fr: 'Les données ont été restaurées et sont en attente de reprise : rien n’est envoyé avant leur comparaison avec les prestataires.',
  }),
  deliveries_turned_away: as({
    level: 'calm',
    en: 'Webhooks that name this request were rejected because their signature was wrong: %count%.',
    fr: 'Webhooks concernant cette demande et rejetés, car leur signature était incorrecte : %count%.',
  }),
};
