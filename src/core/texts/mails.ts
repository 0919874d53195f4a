/** Words of the mails. */
import { catalogue } from './catalogue.js';

export const mails = catalogue({
  'mail.greeting': { en: 'Hello %name%,', fr: 'Bonjour %name%,' },
  'mail.greeting.admin': { en: 'Hello,', fr: 'Bonjour,' },
  'mail.closing': { en: 'Kind regards,', fr: 'Cordialement,' },

  'mail.footer': {
    en: 'This message was sent by %issuer% about request %reference%.',
    fr: 'Ce message vous est adressé par %issuer% au sujet de la demande %reference%.',
  },
  'mail.footer.admin': {
    en: 'This message was sent by the contract service of %issuer%.',
    fr: 'Ce message vous est adressé par le service des contrats de %issuer%.',
  },
  'mail.footer.account': {
    en: 'This message was sent by %issuer% about your account.',
    fr: 'Ce message vous est adressé par %issuer% au sujet de votre compte.',
  },

  'mail.fact': { en: '%label%: %value%', fr: '%label% : %value%' },
  'mail.command': { en: 'On the command line', fr: 'En ligne de commande' },
  'mail.link': {
    en: 'If the button does not work, open this address:',
    fr: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  },

  'mail.label.signed_at': { en: 'Signed on', fr: 'Signé le' },
  'mail.label.paid_at': { en: 'Paid on', fr: 'Payé le' },
  'mail.label.reason': { en: 'Reason', fr: 'Motif' },
  'mail.label.decline_reason': { en: 'In the customer’s words', fr: 'Selon le client' },
  'mail.label.failure': { en: 'Error', fr: 'Erreur' },
  'mail.label.error': { en: 'Last answer', fr: 'Dernière réponse' },
  'mail.label.sign_id': {
    en: 'Signature request at the provider',
    fr: 'Demande de signature chez le prestataire',
  },
  'mail.label.external_id': { en: 'External ID', fr: 'Identifiant externe' },
  'mail.label.url': { en: 'Address', fr: 'Adresse' },
  'mail.label.account': { en: 'Account', fr: 'Compte' },
  'mail.label.valid_until': { en: 'Link valid until', fr: 'Lien valable jusqu’au' },

  'mail.unknown': { en: 'unknown', fr: 'inconnu' },

  'mail.signed.subject': {
    en: 'Your signed maintenance contract %reference%',
    fr: 'Votre contrat de maintenance signé %reference%',
  },
  'mail.signed.intro': {
    en: 'Thank you: your maintenance contract is signed.',
    fr: 'Merci : votre contrat de maintenance est signé.',
  },
  'mail.signed.attached': {
    en: 'The signed contract is attached to this message; please keep it.',
    fr: 'Le contrat signé est joint à ce message ; veuillez le conserver.',
  },
  'mail.signed.too_large': {
    en: 'The signed contract is too large to be sent by e-mail. Reply to this message and we will get it to you another way.',
    fr: 'Le contrat signé est trop volumineux pour être envoyé par e-mail. Répondez à ce message et nous vous le ferons parvenir autrement.',
  },
  'mail.signed.next': {
    en: 'You will soon receive a second message with a link to the payment page.',
    fr: 'Vous recevrez bientôt un second message avec un lien vers la page de paiement.',
  },

  'mail.canceled.subject': {
    en: 'Your request %reference% has been canceled',
    fr: 'Votre demande %reference% a été annulée',
  },
  'mail.canceled.intro': {
    en: 'We have canceled your request for maintenance. You do not need to sign or pay anything; links that we sent you for this request no longer work.',
    fr: 'Nous avons annulé votre demande de maintenance. Vous n’avez rien à signer ni à payer ; les liens que nous vous avons envoyés pour cette demande ne fonctionnent plus.',
  },
  'mail.canceled.next': {
    en: 'If you did not expect this, please reply to this message.',
    fr: 'Si vous ne vous y attendiez pas, répondez simplement à ce message.',
  },

  'mail.renewal.subject': {
    en: 'Your maintenance contract will be renewed (%reference%)',
    fr: 'Votre contrat de maintenance va être renouvelé (%reference%)',
  },
  'mail.renewal.intro': {
    en: 'The term of your maintenance contract is ending. We are preparing the next one: you will receive it by e-mail to read and sign.',
    fr: 'Votre contrat de maintenance arrive à son terme. Nous préparons le suivant : vous le recevrez par e-mail pour le lire et le signer.',
  },
  'mail.renewal.next': {
    en: 'If you do not wish to renew it, please reply to this message.',
    fr: 'Si vous ne souhaitez pas le renouveler, répondez simplement à ce message.',
  },

  'mail.admin_signed.subject': {
    en: 'Signed: %reference% (%customer%)',
    fr: 'Signé : %reference% (%customer%)',
  },
  'mail.admin_signed.intro': {
    en: '%customer% has signed the maintenance contract. The signed contract is stored, and the request now waits for the payment.',
    fr: '%customer% a signé le contrat de maintenance. Le contrat signé est archivé et la demande attend maintenant le paiement.',
  },
  'mail.admin_signed.next': {
    en: 'No action is needed: the payment page is created automatically, and its link is e-mailed to the customer.',
    fr: 'Aucune action n’est nécessaire : la page de paiement est créée automatiquement et son lien est envoyé au client.',
  },

  'mail.payment.subject': {
    en: 'Payment for your maintenance contract %reference%',
    fr: 'Paiement de votre contrat de maintenance %reference%',
  },
  'mail.payment.intro': {
    en: 'Your contract is signed. Please pay %amount% on our secure payment page.',
    fr: 'Votre contrat est signé. Merci de régler %amount% sur notre page de paiement sécurisée.',
  },
  'mail.payment.action': { en: 'Pay %amount%', fr: 'Payer %amount%' },
  'mail.payment.code': {
    en: 'The payment link as a QR code',
    fr: 'Le lien de paiement sous forme de code QR',
  },
  'mail.payment.lasting': {
    en: 'This link stays valid until you have paid. The QR code opens the same page on a phone.',
    fr: 'Ce lien reste valable jusqu’à votre paiement. Le code QR ouvre la même page sur un téléphone.',
  },

  'mail.reminder.subject': {
    en: 'Reminder: payment for your maintenance contract %reference%',
    fr: 'Rappel : paiement de votre contrat de maintenance %reference%',
  },
  'mail.reminder.intro': {
    en: 'Your contract is signed, and your payment of %amount% has not reached us yet. Please pay on our secure payment page. If you have paid in the meantime, please ignore this message.',
    fr: 'Votre contrat est signé et votre paiement de %amount% ne nous est pas encore parvenu. Veuillez payer sur notre page de paiement sécurisée. Si vous avez payé entre-temps, ne tenez pas compte de ce message.',
  },

  'mail.received.subject': {
    en: 'Payment received: your maintenance contract %reference%',
    fr: 'Paiement reçu : votre contrat de maintenance %reference%',
  },
  'mail.received.intro': {
    en: 'Thank you: we have received your payment of %amount%.',
    fr: 'Merci : nous avons bien reçu votre paiement de %amount%.',
  },
  'mail.received.next': {
    en: 'Your request is complete; there is nothing more to do.',
    fr: 'Votre demande est terminée ; vous n’avez plus rien à faire.',
  },

  'mail.admin_paid.subject': { en: 'Paid: %reference% (%customer%)', fr: 'Payé : %reference% (%customer%)' },
  'mail.admin_paid.intro': {
    en: '%customer% has paid %amount%. The request is complete.',
    fr: '%customer% a payé %amount%. La demande est terminée.',
  },
  'mail.admin_paid.next': { en: 'No action is needed.', fr: 'Aucune action n’est nécessaire.' },

  'mail.ended.subject': {
    en: 'Contract ended without signature: %reference% (%customer%)',
    fr: 'Contrat terminé sans signature : %reference% (%customer%)',
  },
  'mail.ended.intro.declined': {
    en: '%customer% has declined to sign the maintenance contract.',
    fr: '%customer% a refusé de signer le contrat de maintenance.',
  },
  'mail.ended.intro.canceled': {
    en: 'The signature of the maintenance contract for %customer% was canceled at the signature provider.',
    fr: 'La signature du contrat de maintenance de %customer% a été annulée chez le prestataire de signature.',
  },
  'mail.ended.intro.rejected': {
    en: 'The signature provider’s approval step rejected the maintenance contract for %customer%.',
    fr: 'Le contrat de maintenance de %customer% a été rejeté à l’étape d’approbation du prestataire de signature.',
  },
  'mail.ended.intro.deleted': {
    en: 'The maintenance contract for %customer% was deleted at the signature provider.',
    fr: 'Le contrat de maintenance de %customer% a été supprimé chez le prestataire de signature.',
  },
  'mail.ended.intro.signer_error': {
    en: 'An error occurred at the signature provider while %customer% was signing the maintenance contract, and the provider canceled it. The document may be damaged.',
    fr: 'Une erreur s’est produite chez le prestataire de signature pendant que %customer% signait le contrat de maintenance, qui y a été annulé. Le document est peut-être endommagé.',
  },
  'mail.ended.intro.expired': {
    en: '%customer% did not sign the maintenance contract in time.',
    fr: '%customer% n’a pas signé le contrat de maintenance à temps.',
  },
  'mail.ended.intro.not_found': {
    en: 'The signature provider no longer knows the maintenance contract for %customer%.',
    fr: 'Le prestataire de signature ne connaît plus le contrat de maintenance de %customer%.',
  },
  'mail.ended.reason.canceled': {
    en: 'canceled at the signature provider',
    fr: 'annulé chez le prestataire de signature',
  },
  'mail.ended.reason.rejected': { en: 'rejected in the approval step', fr: 'rejeté à l’étape d’approbation' },
  'mail.ended.reason.deleted': {
    en: 'deleted at the signature provider',
    fr: 'supprimé chez le prestataire de signature',
  },
  'mail.ended.reason.signer_error': {
    en: 'an error occurred at the signature provider while the customer was signing',
    fr: 'erreur chez le prestataire de signature pendant que le client signait',
  },
  'mail.ended.reason.expired': { en: 'not signed in time', fr: 'non signé à temps' },
  'mail.ended.reason.not_found': {
    en: 'unknown to the signature provider',
    fr: 'inconnu du prestataire de signature',
  },
  'mail.ended.state.reset': {
    en: 'This contract is now expired and can no longer be signed. The request is still waiting for a signature.',
    fr: 'Ce contrat est maintenant expiré et ne peut plus être signé. La demande attend toujours une signature.',
  },
  'mail.ended.state.start': {
    en: 'This contract is now expired and can no longer be signed. Starting the signature was interrupted here, so it can be started again.',
    fr: 'Ce contrat est maintenant expiré et ne peut plus être signé. Le lancement de la signature a été interrompu ici : vous pouvez la relancer.',
  },
  'mail.ended.next.start': {
    en: 'If the customer still wants the work, start the signature in the back office or on the command line: a new contract is created and sent.',
    fr: 'Si le client souhaite toujours les travaux, lancez la signature : un nouveau contrat est établi et envoyé. Faites-le dans l’administration ou en ligne de commande.',
  },
  'mail.ended.next.reset': {
    en: 'If the customer still wants the work, send a new contract, in the back office or on the command line.',
    fr: 'Si le client souhaite toujours les travaux, envoyez un nouveau contrat, dans l’administration ou en ligne de commande.',
  },

  'mail.late.subject': {
    en: 'Signed late, decision needed: %reference% (%customer%)',
    fr: 'Signé après la date limite, décision à prendre : %reference% (%customer%)',
  },
  'mail.late.intro': {
    en: '%customer% has signed the maintenance contract, but after the deadline. The contract stays expired and nothing was charged.',
    fr: '%customer% a signé le contrat de maintenance, mais après la date limite. Le contrat reste expiré et rien n’a été débité.',
  },
  'mail.late.next': {
    en: 'Talk to the customer, then decide. If the contract should stand, accept the late signature and give a reason, on the request page or with the command below. If not, send a new contract: `%command%`.',
    fr: 'Voyez avec le client, puis décidez. Si le contrat doit être maintenu, acceptez la signature tardive en indiquant un motif, sur la page de la demande ou avec la commande ci-dessous. Sinon, envoyez un nouveau contrat : « %command% ».',
  },

  'mail.replaced.subject': {
    en: 'A replaced contract was signed: %reference% (%customer%)',
    fr: 'Un contrat remplacé a été signé : %reference% (%customer%)',
  },
  'mail.replaced.intro': {
    en: '%customer% has signed contract %old%, which has been replaced by contract %contract%. Only contract %contract% counts; this signature did not change the request.',
    fr: '%customer% a signé le contrat %old%, qui a été remplacé par le contrat %contract%. Seul le contrat %contract% est valable ; cette signature n’a rien changé à la demande.',
  },
  'mail.replaced.next': {
    en: 'Explain this to the customer, who may believe that everything is done. The command below shows contract %contract% and, until it is signed, its link.',
    fr: 'Expliquez-le au client, qui croit peut-être que tout est réglé. La commande ci-dessous affiche le contrat %contract% et, tant qu’il n’est pas signé, son lien.',
  },

  'mail.canceled_signed.subject': {
    en: 'Signed after cancellation, please check: %reference% (%customer%)',
    fr: 'Signé après l’annulation, à vérifier : %reference% (%customer%)',
  },
  'mail.canceled_signed.intro': {
    en: '%customer% has signed the maintenance contract, but the request had already been canceled. The signature does not count, and the request is unchanged.',
    fr: '%customer% a signé le contrat de maintenance, mais la demande avait déjà été annulée. La signature ne compte pas et la demande reste inchangée.',
  },
  'mail.canceled_signed.next': {
    en: 'Talk to the customer, who may believe that everything is done, then decide. If the work is wanted after all, reopen the request and start the signature again. If not, settle the case with a reason.',
    fr: 'Voyez avec le client, qui croit peut-être que tout est réglé, puis décidez. Si les travaux sont finalement souhaités, rouvrez la demande et relancez la signature. Sinon, réglez le cas avec un motif.',
  },

  'mail.foreign.subject': {
    en: 'Mismatched document at the signature provider: %reference% (%customer%)',
    fr: 'Document étranger au contrat chez le prestataire de signature : %reference% (%customer%)',
  },
  'mail.foreign.intro': {
    en: 'The signature provider has a signature request that seems to belong to this contract, but its name, signer or creation time does not match. Nothing from it was stored, sent or changed.',
    fr: 'Une demande de signature chez le prestataire semble appartenir à ce contrat, mais son nom, son signataire ou sa date de création ne concorde pas. Rien n’en a été enregistré, envoyé ni modifié.',
  },
  'mail.foreign.served': {
    en: 'The contract for %customer% is sent under a separate name, so nothing is missing. Check in the provider’s console where the other document comes from. It may date from before a backup was restored, or come from another installation on the same account.',
    fr: 'Le contrat de %customer% est envoyé sous un nom distinct ; il ne manque donc rien. Vérifiez dans la console du prestataire d’où vient l’autre document. Il peut dater d’avant la restauration d’une sauvegarde ou venir d’une autre installation sur le même compte.',
  },
  'mail.foreign.stopped': {
    en: 'The request is still waiting for a signature. Check in the provider’s console where the document comes from. Then send a new contract.',
    fr: 'La demande attend toujours une signature. Vérifiez dans la console du prestataire d’où vient le document. Envoyez ensuite un nouveau contrat.',
  },

  'mail.payment_failed.subject': {
    en: 'Payment failed: %reference% (%customer%)',
    fr: 'Échec du paiement : %reference% (%customer%)',
  },
  'mail.payment_failed.intro': {
    en: 'The payment from %customer% failed. The contract stays signed, and the request is still waiting for the payment.',
    fr: 'Le paiement de %customer% n’a pas abouti. Le contrat reste signé et la demande attend toujours le paiement.',
  },
  'mail.payment_failed.next': {
    en: 'Agree with the customer on another attempt or another way to pay.',
    fr: 'Convenez avec le client d’une nouvelle tentative ou d’un autre moyen de paiement.',
  },

  'mail.old_session_paid.subject': {
    en: 'A payment that does not count, please check: %reference% (%customer%)',
    fr: 'Paiement qui ne compte pas, à vérifier : %reference% (%customer%)',
  },
  'mail.old_session_paid.intro': {
    en: '%customer% has paid through a link that does not count: it belongs to an earlier contract, or the request was already complete. This payment did not complete the request.',
    fr: '%customer% a payé par un lien qui ne compte pas : il appartient à un contrat précédent, ou la demande était déjà terminée. Ce paiement n’a pas permis de terminer la demande.',
  },
  'mail.old_session_paid.next': {
    en: 'Decide whether the payment should stand or be refunded. The request’s page, or the command below, shows how things stand and what to do next. Until you have decided, the customer is not asked to pay.',
    fr: 'Décidez si le paiement doit être accepté ou remboursé. La page de la demande, ou la commande ci-dessous, montre où en sont les choses et ce qu’il faut faire ensuite. Tant que vous n’avez pas décidé, aucun paiement n’est demandé au client.',
  },

  'mail.paid_unsigned.subject': {
    en: 'Paid, but no signature is known: %reference% (%customer%)',
    fr: 'Payé, mais sans signature connue : %reference% (%customer%)',
  },
  'mail.paid_unsigned.intro': {
    en: '%customer% has paid, but this server knows of no signature. After a restore, the signature may be missing here.',
    fr: '%customer% a payé, mais ce serveur ne connaît aucune signature. Après une restauration, la signature peut manquer ici.',
  },
  'mail.paid_unsigned.next': {
    en: 'Check the signature: if the contract is signed, the payment counts and the request is complete.',
    fr: 'Vérifiez la signature : si le contrat est signé, le paiement compte et la demande est terminée.',
  },

  'mail.canceled_paid.subject': {
    en: 'Paid after cancellation, please check: %reference% (%customer%)',
    fr: 'Payé après l’annulation, à vérifier : %reference% (%customer%)',
  },
  'mail.canceled_paid.intro': {
    en: '%customer% has paid, but the request is canceled. The payment was recorded; the request stays canceled.',
    fr: '%customer% a payé, mais la demande est annulée. Le paiement est enregistré ; la demande reste annulée.',
  },
  'mail.canceled_paid.next': {
    en: 'Either refund the payment at the payment provider and settle the case with a reason, or agree on the work with the customer and reopen the request. In the second case, mark the request as paid once the new contract is signed; this accepts the payment.',
    fr: 'Soit vous remboursez le paiement chez le prestataire de paiement, puis réglez le cas avec un motif ; soit vous convenez des travaux avec le client et rouvrez la demande. Dans le second cas, marquez la demande comme payée une fois le nouveau contrat signé : le paiement est alors accepté.',
  },

  'mail.other_price.subject': {
    en: 'Different amount paid, please check: %reference% (%customer%)',
    fr: 'Montant payé différent, à vérifier : %reference% (%customer%)',
  },
  'mail.other_price.intro': {
    en: 'A payment from %customer% names this contract but does not match its price. It was not applied.',
    fr: 'Un paiement de %customer% se rapporte à ce contrat, mais ne correspond pas à son prix. Il n’a pas été pris en compte.',
  },
  'mail.other_price.next': {
    en: 'Look the payment up at the payment provider, compare it with the price, and decide whether it should stand or be refunded. The request’s page, or the command below, shows how things stand and what to do next. Until you have decided, the customer is not asked to pay.',
    fr: 'Consultez le paiement chez le prestataire de paiement, comparez-le au prix, puis décidez s’il doit être accepté ou remboursé. La page de la demande, ou la commande ci-dessous, montre où en sont les choses et ce qu’il faut faire ensuite. Tant que vous n’avez pas décidé, aucun paiement n’est demandé au client.',
  },

  'mail.webhook_disabled.subject': { en: 'Webhook %id% switched off', fr: 'Webhook %id% désactivé' },
  'mail.webhook_disabled.intro': {
    en: 'A webhook was switched off because its deliveries have been failing for more than a day.',
    fr: 'Un webhook a été désactivé, car ses envois échouent depuis plus d’une journée.',
  },
  'mail.webhook_disabled.gone': {
    en: 'A webhook was switched off because its receiver answered that it is gone for good (410).',
    fr: 'Un webhook a été désactivé, car son destinataire a répondu qu’il n’existe plus (410).',
  },
  'mail.webhook_disabled.next': {
    en: 'Ask the owner of the address to fix it. Then switch the webhook on again; you can resend all failed deliveries at once.',
    fr: 'Demandez au propriétaire de l’adresse de la rétablir. Réactivez ensuite le webhook ; vous pourrez renvoyer en une fois tous les envois en échec.',
  },

  'mail.unknown_payment.subject': {
    en: 'Payment for a contract that is not recorded here',
    fr: 'Paiement pour un contrat qui n’est pas enregistré ici',
  },
  'mail.unknown_payment.intro': {
    en: 'A customer has paid through a payment page of this installation, but its contract is not recorded here. It was probably lost in a restore.',
    fr: 'Un client a payé sur une page de paiement de cette installation, mais le contrat correspondant n’est pas enregistré ici. Il a sans doute été perdu lors d’une restauration.',
  },
  'mail.unknown_payment.next': {
    en: 'Look the payment up in the payment provider’s console. Refund it, or enter the request again and mark it as paid. Then settle the case.',
    fr: 'Recherchez le paiement dans la console du prestataire de paiement. Remboursez-le, ou saisissez à nouveau la demande et marquez-la comme payée. Réglez ensuite le cas.',
  },

  'mail.run_failing.subject': { en: 'Failed: %work%', fr: 'Échec : %work%' },
  'mail.run_failing.intro.backup': {
    en: 'The scheduled backup failed. No new backup will be made until the cause is fixed; earlier backups are untouched.',
    fr: 'La sauvegarde planifiée a échoué. Aucune nouvelle sauvegarde ne sera faite tant que la cause n’est pas corrigée ; les précédentes sont intactes.',
  },
  'mail.run_failing.intro.expire': {
    en: 'The daily expiry failed. Contracts past their deadline stay open until the cause is fixed.',
    fr: 'L’expiration quotidienne a échoué. Les contrats dont la date est passée restent ouverts tant que la cause n’est pas corrigée.',
  },
  'mail.run_failing.intro.housekeeping': {
    en: 'The nightly housekeeping failed. Nothing is lost; old data is not removed until the cause is fixed.',
    fr: 'La maintenance nocturne a échoué. Rien n’est perdu ; les anciennes données restent en place tant que la cause n’est pas corrigée.',
  },
  'mail.run_failing.next': {
    en: 'The command below shows what to do. You will not be notified about this again until a run has succeeded.',
    fr: 'La commande ci-dessous indique quoi faire. Vous ne recevrez pas d’autre e-mail à ce sujet avant qu’une exécution ait réussi.',
  },
  'mail.run_failing.intro.digest': {
    en: 'The daily summary e-mail could not be prepared. `%command%` shows the same list.',
    fr: 'Le récapitulatif quotidien par e-mail n’a pas pu être préparé. « %command% » affiche la même liste.',
    command: 'todo',
  },
  'mail.run_failing.intro.snapshot': {
    en: 'The snapshot of the data failed. No new off-site copy is made until the cause is fixed.',
    fr: 'L’instantané des données a échoué. Aucune nouvelle copie hors site ne sera faite tant que la cause n’est pas corrigée.',
  },
  'mail.run_failing.intro.offsite': {
    en: 'No off-site copy of the data has been made for too long. If the server is lost now, everything since the last copy is lost with it.',
    fr: 'Aucune copie hors site des données n’a été faite depuis trop longtemps. Si le serveur est perdu maintenant, tout ce qui a suivi la dernière copie l’est aussi.',
  },

  'mail.digest.subject': { en: 'Needs attention: %count%', fr: 'À traiter : %count%' },
  'mail.digest.intro': {
    en: 'These cases need attention, oldest first.',
    fr: 'Voici ce qui est à traiter, en commençant par le plus ancien.',
  },
  'mail.digest.no_request': { en: 'Installation', fr: 'Installation' },
  'mail.digest.need': { en: 'Since %since%: %what% (%next%)', fr: 'Depuis le %since% : %what% (%next%)' },
  'mail.digest.action': { en: 'Open the list', fr: 'Ouvrir la liste' },
  'mail.digest.more': {
    en: 'There are more cases: the list shows them all.',
    fr: 'Il y a d’autres cas : la liste les montre tous.',
  },

  'mail.jobs_failed.subject': {
    en: 'Jobs failed for good: %count%',
    fr: 'Tâches en échec définitif : %count%',
  },
  'mail.jobs_failed.intro': {
    en: 'Since %since%, these jobs have run out of attempts. They will not be retried automatically.',
    fr: 'Depuis le %since%, ces tâches ont épuisé leurs tentatives. Elles ne seront pas relancées automatiquement.',
  },
  'mail.jobs_failed.action': { en: 'Open the failed jobs', fr: 'Ouvrir les tâches en échec' },
  'mail.jobs_failed.next': {
    en: 'Once the cause is fixed, run them again.',
    fr: 'Une fois la cause corrigée, relancez-les.',
  },

  'mail.open_request': {
    en: 'Open the request in the back office',
    fr: 'Ouvrir la demande dans l’administration',
  },
  'mail.password.action': { en: 'Set your password', fr: 'Définir votre mot de passe' },
  'mail.password.once': {
    en: 'The link works once. If it has expired, the page that it opens offers a new one. Please do not forward this message.',
    fr: 'Ce lien ne fonctionne qu’une fois. S’il a expiré, la page qu’il ouvre vous en propose un nouveau. Merci de ne pas transférer ce message.',
  },

  'mail.invitation.subject': { en: 'Your account at %issuer%', fr: 'Votre compte chez %issuer%' },
  'mail.invitation.intro': {
    en: '%issuer% has opened an account for you. Please set your password.',
    fr: '%issuer% vous a ouvert un compte. Il vous reste à définir votre mot de passe.',
  },
  'mail.invitation.next': {
    en: 'If you did not expect this message, you can ignore it: until a password is set, nobody can log in.',
    fr: 'Si vous n’attendiez pas ce message, vous pouvez l’ignorer : sans mot de passe, personne ne peut se connecter.',
  },

  'mail.reset.subject': {
    en: 'Set a new password for your account at %issuer%',
    fr: 'Nouveau mot de passe pour votre compte chez %issuer%',
  },
  'mail.reset.intro': {
    en: 'We were asked for a link to set a new password for your account.',
    fr: 'Un lien pour définir un nouveau mot de passe a été demandé pour votre compte.',
  },
  'mail.reset.next': {
    en: 'If you did not ask for it, you can ignore this message: your password stays as it is.',
    fr: 'Si vous n’en êtes pas à l’origine, ignorez ce message : votre mot de passe reste inchangé.',
  },
});
