/** Words of the time line of a request: the operator's, in French. */
export const explainFr = {
  'explain.title': '%reference% (demande %id%) : %title%',
  'explain.customer': 'client',
  'explain.contract': 'contrat',
  'explain.no_contract': 'pas de contrat',
  'explain.other': 'aussi de ce client : %reference%, %status%',
  'explain.time': 'QUAND',
  'explain.who': 'QUI',
  'explain.what': 'QUOI',
  'explain.noted': '%message% : %note%',
  'explain.earlier': 'Entrées plus anciennes :',
  'explain.verdict': 'Verdict :',
  'explain.also': 'Autres constats :',
  'explain.next': 'Ensuite :',
  'explain.nothing': 'aucune action requise',

  'timeline.request.created': 'Demande enregistrée',
  'timeline.request.changed': 'Demande modifiée',
  'timeline.request.moved': 'État passé de « %from% » à « %to% »',
  'timeline.request.deleted': 'Demande %reference% supprimée',
  'timeline.request.settled': 'Le cas a été réglé',
  'timeline.request.settled_payments': 'Le cas a été réglé pour %payments%',
  'timeline.offer.created': 'Offre %reference% établie',
  'timeline.offer.changed': 'Offre %reference% modifiée, maintenant %status%',
  'timeline.offer.deleted': 'Offre %reference% supprimée',
  'timeline.troubleshooting.created': 'Dépannage %reference% signalé',
  'timeline.troubleshooting.changed': 'Dépannage %reference% modifié, maintenant %status%',
  'timeline.troubleshooting.deleted': 'Dépannage %reference% supprimé',
  'timeline.contract.created': 'Contrat %contract% établi',
  'timeline.contract.sent': 'Contrat %contract% envoyé au client pour signature',
  'timeline.contract.sent_outdated':
    'Contrat %contract% envoyé au client pour signature, avec son texte et son prix antérieurs',
  'timeline.contract.signed': 'Contrat %contract% signé le %signedAt% ; le PDF signé est enregistré',
  'timeline.contract.pdf_replaced':
    'PDF signé du contrat %contract% récupéré à nouveau : il diffère de celui qui avait été enregistré',
  'timeline.contract.pdf_fetched': 'PDF signé du contrat %contract% récupéré à nouveau',
  'timeline.contract.signed_late':
    'Contrat %contract% signé après la date limite, ou sans preuve qu’il l’ait été à temps',
  'timeline.contract.foreign_signature':
    'Chez le prestataire, la demande de signature %signId% porte le nom ou le numéro du contrat %contract% mais n’est pas la sienne ; elle a été ignorée',
  'timeline.contract.last_moment_told':
    'Le prestataire de signature fixe au %to% la date limite pour signer le contrat %contract%',
  'timeline.contract.replaced_signed':
    'Le client a signé le contrat %contract%, remplacé par le contrat %by% ; cette signature ne compte pas',
  'timeline.contract.canceled_signed':
    'Le client a signé le contrat %contract% après l’annulation de la demande ; il ne compte pas',
  'timeline.contract.trail_kept':
    'Le dossier de preuve du prestataire de signature pour le contrat %contract% est enregistré',
  'timeline.contract.signer_corrected':
    'Signataire du contrat %contract% corrigé chez le prestataire de signature, qui renvoie le lien',
  'timeline.contract.signer_refused':
    'Le prestataire de signature n’a pas pu remettre au client son e-mail pour le contrat %contract%',
  'timeline.contract.second_accepted': 'Signature d’un second document pour le contrat %contract% acceptée',
  'timeline.contract.late_accepted': 'Signature tardive du contrat %contract% acceptée',
  'timeline.contract.signer_error': 'Erreur chez le prestataire de signature pendant que le client signait',
  'timeline.ended.signer_error':
    'Contrat %contract% clos : erreur chez le prestataire de signature pendant que le client signait',
  'timeline.ended.declined': 'Contrat %contract% clos : le client a refusé',
  'timeline.ended.canceled': 'Contrat %contract% clos : annulé chez le prestataire de signature',
  'timeline.ended.rejected': 'Contrat %contract% clos : rejeté chez le prestataire de signature',
  'timeline.ended.deleted': 'Contrat %contract% clos : supprimé chez le prestataire de signature',
  'timeline.ended.expired': 'Contrat %contract% clos : expiré chez le prestataire de signature',
  'timeline.ended.not_found': 'Contrat %contract% clos : inconnu du prestataire de signature',
  'timeline.ended.reset': 'Contrat %contract% clos : la signature a été réinitialisée',
  'timeline.ended.replaced': 'Contrat %contract% clos avant son envoi : son contenu n’était plus à jour',
  'timeline.ended.request_canceled': 'Contrat %contract% clos : la demande a été annulée',
  'timeline.ended.date_passed': 'Contrat %contract% clos : la date limite de signature est passée',
  'timeline.ended.other': 'Contrat %contract% clos',
  'timeline.payment.session_created': 'Page de paiement créée',
  'timeline.payment.session_found':
    'Page de paiement %paymentId% retrouvée chez le prestataire : elle avait déjà été créée pour ce contrat',
  'timeline.payment.reminded': 'Client relancé pour le paiement',
  'timeline.signature.reminded': 'Client relancé pour la signature par le prestataire de signature',
  'timeline.payment.session_expired': 'Page de paiement expirée',
  'timeline.payment.session_closed': 'Page de paiement fermée par nous',
  'timeline.payment.pending': 'Le client a payé, l’argent est en route',
  'timeline.payment.failed': 'Le paiement a échoué : %paymentId%',
  'timeline.payment.received': 'Paiement reçu : %paid%',
  'timeline.payment.canceled_paid': 'Payé après l’annulation de la demande : %paid% (%paymentId%)',
  'timeline.payment.paid_unsigned': 'Payé avant qu’une signature soit connue ici : %paid% (%paymentId%)',
  'timeline.payment.old_session_paid': 'Payé par un lien de paiement périmé : %paid% (%paymentId%)',
  'timeline.payment.other_price':
    'Payé, mais non pris en compte, car ce n’est pas le prix : %paid% (%paymentId%)',
  'timeline.signature.checked': 'Prestataire de signature interrogé : %answer%',
  'timeline.payment.checked': 'Prestataire de paiement interrogé : %answer%',
  'timeline.payment.renewed': 'Nouveau lien de paiement demandé',
  'timeline.inbox.replayed': 'Webhook %event% traité à nouveau à la main',
  'timeline.job.pushed': 'Tâche %job% (%name%) relancée sans attendre, à la main',
  'timeline.job.replayed': 'Tâche %job% (%name%) relancée à la main',
  'timeline.job.removed': 'Tâche %job% (%name%) retirée à la main : elle ne sera pas exécutée',
  'timeline.mail.sent': 'Envoyé : %mail%',
  'timeline.mail.sent_bare': 'Envoyé : %mail%, sans le PDF, trop volumineux pour le serveur de messagerie',
  'timeline.webhook.redelivered':
    'Livraison %deliveryId% (%event%) au webhook %webhookId% renvoyée à la main',
  'timeline.webhook.received': 'Webhook du %source% reçu : « %event% » ; %outcome%',
  'timeline.webhook.rejected': 'Webhook pour le %source% rejeté : %reason% (de %address%, %size% octets)',
  'timeline.source.signature': 'prestataire de signature',
  'timeline.source.payment': 'prestataire de paiement',
  'timeline.job.try_failed': 'Tentative %attempt% sur %tries% échouée : %name% (tâche %job%)',
  'timeline.job.failed': 'Échec définitif après %attempt% tentatives : %name% (tâche %job%)',
  'timeline.job.tries_not_kept':
    '%missing% autres tentatives échouées, erreurs non conservées : %name% (tâche %job%)',
  'timeline.job.completed': 'Réussi à la tentative %attempt% : %name% (tâche %job%)',
  'timeline.job.dropped': 'Non livré, car le webhook est désactivé : %name% (tâche %job%)',
  'timeline.job.next_try': 'Prochaine tentative : %name% (tâche %job%)',
  'timeline.job.due': 'En retard : %name% (tâche %job%)',
  'timeline.job.running': 'En cours : %name% (tâche %job%)',
  'timeline.date.sign_before': 'La date limite pour signer le contrat %contract% est passée',
  'timeline.date.sign_link': 'Le lien pour signer le contrat %contract% n’est plus valable',
  'timeline.date.payment_link': 'Le lien de paiement n’est plus valable',

  'job.name.create-payment-session': 'page de paiement',
  'job.name.complete-signature': 'finalisation de la signature',
  'job.name.send-mail': 'e-mail',
  'job.name.deliver-webhook': 'webhook sortant',
  'job.name.confirm-end': 'confirmation de la fin du contrat',
  'job.name.correct-signer': 'correction du signataire',
  'job.name.delivery': 'webhook sortant, livraison %delivery%',
  'mail.name.contract-signed': 'e-mail au client avec le contrat signé',
  'mail.name.admin-signed': 'e-mail « signé » à l’administrateur',
  'mail.name.payment-link': 'e-mail au client avec le lien de paiement',
  'mail.name.payment-reminder': 'e-mail de rappel de paiement au client',
  'mail.name.payment-received': 'e-mail « paiement reçu » au client',
  'mail.name.admin-paid': 'e-mail « payé » à l’administrateur',
  'mail.name.contract-ended': 'e-mail « contrat clos » à l’administrateur',
  'mail.name.replaced-signed': 'e-mail « un contrat remplacé a été signé » à l’administrateur',
  'mail.name.canceled-signed': 'e-mail « signé après l’annulation » à l’administrateur',
  'mail.name.request-canceled': 'e-mail « votre demande a été annulée » au client',
  'mail.name.signed-late': 'e-mail « signé après la date limite » à l’administrateur',
  'mail.name.foreign-signature':
    'e-mail « document étranger au contrat chez le prestataire de signature » à l’administrateur',
  'mail.name.payment-trouble': 'e-mail « problème de paiement » à l’administrateur',

  'inbox.event.signature_request.done': 'signé',
  'inbox.event.signature_request.declined': 'refusé',
  'inbox.event.signature_request.expired': 'expiré',
  'inbox.event.signature_request.canceled': 'annulé',
  'inbox.event.signature_request.rejected': 'rejeté',
  'inbox.event.signature_request.deleted': 'supprimé',
  'inbox.event.signer.error': 'erreur pendant la signature',
  'inbox.event.signer.notification_delivery_failed': 'e-mail non distribué',
  'inbox.event.checkout.session.completed': 'paiement validé',
  'inbox.event.checkout.session.expired': 'page expirée',
  'inbox.event.checkout.session.async_payment_succeeded': 'paiement réussi',
  'inbox.event.checkout.session.async_payment_failed': 'paiement échoué',
  'inbox.outcome.received': 'pas encore traité',
  'inbox.outcome.completed': 'le contrat a été finalisé',
  'inbox.outcome.repeat': 'il avait déjà été traité',
  'inbox.outcome.late': 'refusé : signé après la date limite',
  'inbox.outcome.foreign': 'non utilisé : le document du prestataire n’est pas celui de ce contrat',
  'inbox.outcome.not_signable': 'refusé : la demande n’attendait pas cette signature',
  'inbox.outcome.not_used': 'ignoré : nous ne l’utilisons pas',
  'inbox.outcome.declined': 'le contrat a été clos',
  'inbox.outcome.signer_refused': 'l’e-mail du prestataire n’est pas parvenu au client',
  'inbox.outcome.signer_error':
    'le contrat a été clos : erreur chez le prestataire pendant que le client signait',
  'inbox.outcome.not_found': 'le contrat a été clos : le prestataire ne le connaît pas',
  'inbox.outcome.not_confirmed': 'ignoré : le prestataire dit autre chose',
  'inbox.outcome.expired': 'le contrat a été clos',
  'inbox.outcome.canceled': 'le contrat a été clos, ou nous l’avions annulé nous-mêmes',
  'inbox.outcome.rejected': 'le contrat a été clos',
  'inbox.outcome.deleted': 'le contrat a été clos',
  'inbox.outcome.paid': 'la demande est payée',
  'inbox.outcome.paid_unsigned': 'payé avant qu’une signature soit connue ici',
  'inbox.outcome.old_session_paid': 'payé, mais ce paiement ne compte pas : à examiner',
  'inbox.outcome.other_price': 'payé avec un autre montant ou une autre devise : à examiner',
  'inbox.outcome.not_paid_yet': 'l’argent est encore en route',
  'inbox.outcome.payment_failed': 'le paiement a échoué',
  'inbox.outcome.session_expired': 'le lien de paiement n’est plus valable',
  'inbox.outcome.unknown_session': 'ce n’est pas une de nos sessions de paiement',
  'inbox.outcome.second_document': 'un second document pour le contrat',
  'inbox.outcome.unknown_signature': 'ce n’est pas une de nos demandes de signature',
  'inbox.rejected.missing_signature': 'il ne portait pas de signature',
  'inbox.rejected.wrong_signature': 'sa signature est incorrecte',
  'inbox.rejected.unusable_body': 'son contenu est inutilisable',
  'inbox.rejected.unknown_sign_id': 'son signId est inconnu',
  'inbox.rejected.thin_event': 'c’est un événement allégé, qui ne dit pas ce qui a été payé',
  'inbox.rejected.too_large': 'il était trop volumineux',

  check_payment_success: 'Le client a payé. La demande est terminée.',
  'check_payment_info.open': 'Le client n’a pas encore payé ; le lien de paiement fonctionne.',
  'check_payment_info.pending': 'Le client a payé, et l’argent est encore en route. La demande l’attend.',
  'check_payment_info.expired':
    'Le lien de paiement n’est plus valable. Renouvelez-le pour en envoyer un nouveau au client.',
  'check_payment_info.closed':
    'Aucun paiement n’est dû, mais une page de paiement de cette demande fonctionnait encore. La vérification la ferme.',
  not_waiting_payment: 'Cette demande n’attend pas de paiement.',
  no_payment_session: 'Cette demande n’a pas encore de lien de paiement. Renouvelez-le pour en créer un.',
  payment_session_not_found:
    'Le prestataire de paiement ne connaît pas ce lien de paiement. Renouvelez-le pour en envoyer un nouveau au client.',
  old_session_paid: 'Le client a payé, mais ce paiement ne compte pas : quelqu’un doit décider de la suite.',
  payment_unavailable:
    'Le prestataire de paiement est injoignable. Rien n’a été modifié ; réessayez dans quelques minutes. Si cela dure, « %command% » en donne la cause.',

  'reply.preparing':
    'Nous avons bien reçu votre demande « %title% » (%reference%). Nous préparons le contrat correspondant. Vous le recevrez par e-mail, avec un lien pour le signer.',
  'reply.sign':
    'Le contrat de votre demande « %title% » (%reference%) attend votre signature. Vous pouvez le signer jusqu’au %date% avec le lien reçu par e-mail. Si vous ne retrouvez pas ce lien, même dans les courriers indésirables, dites-le-nous et nous vous le renverrons.',
  'reply.sign_newest':
    'Le contrat de votre demande « %title% » (%reference%) a été remplacé par un nouveau : les liens précédents ne fonctionnent plus. Vous pouvez le signer jusqu’au %date% avec le lien de l’e-mail le plus récent. Si vous ne retrouvez pas cet e-mail, même dans les courriers indésirables, dites-le-nous et nous vous le renverrons.',
  'reply.declined':
    'Vous avez refusé le contrat de votre demande « %title% » (%reference%). Vous ne devez rien, et nous n’engagerons aucune autre démarche. Si vous ne vouliez pas le refuser, dites-le-nous et nous vous enverrons un nouveau contrat.',
  'reply.sign_over':
    'Le délai pour signer le contrat de votre demande « %title% » (%reference%) est écoulé. Il a pris fin le %date%, et le lien ne fonctionne plus. Si vous souhaitez toujours cette intervention, dites-le-nous et nous vous enverrons un nouveau contrat.',
  'reply.new_contract':
    'Le contrat de votre demande « %title% » (%reference%) ne peut plus être signé. Nous nous en occupons. Vous en recevrez un nouveau par e-mail, avec un nouveau lien pour le signer.',
  'reply.late':
    'Nous avons bien reçu votre signature pour la demande « %title% » (%reference%). Elle est arrivée après la date limite du %date%, et nous devons donc l’examiner. Vous n’avez rien à faire ; nous reviendrons vers vous.',
  'reply.checking':
    'Nous examinons votre demande « %title% » (%reference%). Pour le moment, nous ne pouvons pas dire avec certitude où elle en est. Vous n’avez rien à faire ; nous reviendrons vers vous.',
  'reply.signed':
    'Nous avons bien reçu votre signature pour la demande « %title% » (%reference%), merci. Nous terminons ce qui reste à faire de notre côté. Vous recevrez par e-mail le contrat signé et le lien de paiement.',
  'reply.replaced':
    'Vous avez signé une ancienne version du contrat de votre demande « %title% » (%reference%). Elle a été remplacée, et cette signature ne compte donc pas. Merci de signer le nouveau contrat avec le lien le plus récent reçu par e-mail.',
  'reply.pay':
    'Votre contrat pour la demande « %title% » (%reference%) est signé, merci. Il reste à régler %amount%. Vous pouvez payer à tout moment ici : %link%',
  'reply.pay_soon':
    'Votre contrat pour la demande « %title% » (%reference%) est signé, merci. Nous préparons le paiement de %amount%. Vous recevrez le lien de paiement par e-mail.',
  'reply.pay_pending':
    'Votre paiement de %amount% pour la demande « %title% » (%reference%) est en route, merci. Avec ce moyen de paiement, il met quelques jours à arriver. Vous n’avez rien à faire ; merci de ne pas payer une seconde fois.',
  'reply.pay_failed':
    'Votre paiement de %amount% pour la demande « %title% » (%reference%) n’a pas abouti. Votre banque l’a refusé. Vous pouvez réessayer ici : %link%',
  'reply.pay_check':
    'Nous avons reçu un paiement pour votre demande « %title% » (%reference%). Il ne correspond pas à ce que nous attendions, et nous devons donc l’examiner. Merci de ne pas payer à nouveau ; nous reviendrons vers vous.',
  'reply.paid':
    'Nous avons bien reçu votre paiement pour la demande « %title% » (%reference%), merci. Nous terminons ce qui reste à faire de notre côté. Vous n’avez plus rien à faire.',
  'reply.complete':
    'Votre contrat pour la demande « %title% » (%reference%) est signé et payé, merci. Tout est terminé. Vous n’avez plus rien à faire.',
  'reply.canceled':
    'Votre demande « %title% » (%reference%) a été annulée. Il n’y a plus rien à signer ni à payer. Si vous souhaitez toujours cette intervention, dites-le-nous.',
  'reply.after_cancel':
    'Votre demande « %title% » (%reference%) avait été annulée avant que votre signature ou votre paiement nous parvienne. Nous nous en occupons. Vous n’avez rien à faire ; nous reviendrons vers vous.',
  'todo.webhook_disabled':
    'Le webhook %webhook% est désactivé : son destinataire échouait sans cesse (%error%). %url%',
  'todo.unknown_signature':
    'Le prestataire de signature a un document de cette installation qui n’est pas enregistré ici : « %name% » (%sign%). %advice% Une fois que c’est fait, réglez le cas pour mettre fin à ce rappel.',
  'todo.held':
    'Les données ont été restaurées depuis la sauvegarde du %madeAt% et sont en attente de reprise : rien n’est envoyé avant leur comparaison avec les deux prestataires.',
  'todo.thin_events':
    'Les webhooks de paiement sont rejetés, car ils ne disent pas ce qui a été payé : le point de terminaison chez le prestataire de paiement est configuré pour des contenus allégés (« thin »). Passez-le aux contenus complets (« snapshot »).',
  'todo.mail_server':
    'Le serveur de messagerie refuse tous nos messages ; les clients ne reçoivent donc rien : %error%',
  'todo.run_late': 'Tâche planifiée non exécutée à l’heure prévue : %run%.',
  'todo.run_failing': 'Échec de la tâche planifiée « %run% » : %error%',
  'finding.not_started': 'Personne n’a encore envoyé le contrat. Lancez la signature pour l’envoyer.',
  'finding.start_unfinished':
    'Le contrat a été établi, mais son envoi a été interrompu : le client n’a rien reçu. Relancez la signature pour continuer.',
  'finding.start_refused':
    'Le contrat n’a pas pu être envoyé : le client n’a rien reçu. %why% Relancez ensuite la signature.',
  'finding.start_pdf_lost':
    'Le contrat a été établi, mais son envoi a été interrompu, et le PDF fourni n’est plus disponible : le client n’a rien reçu. Relancez la signature en fournissant le PDF à nouveau.',
  'finding.start_ended':
    'Le contrat a été envoyé, mais il est clos : %end%. Si les travaux sont toujours souhaités, lancez la signature : un nouveau contrat sera envoyé.',
  'finding.sending_unknown':
    'L’envoi du contrat a été demandé au prestataire de signature, dont la réponse n’est jamais arrivée : le client l’a peut-être reçu. Une vérification interroge le prestataire et met la demande à jour ; relancer la signature l’interroge aussi et n’envoie pas de second contrat.',
  'finding.sending_got_through':
    'Le contrat est chez le client, bien que son envoi ait été interrompu ici. Une vérification met la demande à jour.',
  'finding.sending_signed':
    'Le client a signé le contrat, bien que son envoi ait été interrompu ici. Une vérification met la demande à jour.',
  'finding.signer_name':
    'Le prestataire de signature n’acceptera pas le nom du client « %name% ». Corrigez le prénom et le nom de %email% avec la commande ci-dessous, puis lancez la signature.',
  'finding.signer_letter':
    'Le prestataire de signature n’admet pas « %letter% » dans un nom : il n’acceptera pas « %name% ». Corrigez le nom de %email% avec la commande ci-dessous, puis lancez la signature.',
  'finding.signer_email':
    'Le prestataire de signature n’acceptera pas l’adresse e-mail du client « %email% ». Il admet au plus 100 caractères : des lettres sans accent, des chiffres, les caractères . _ + - et un domaine avec un point. Corrigez l’adresse avec la commande ci-dessous, puis lancez la signature.',
  'finding.busy': 'Cette demande est en cours de traitement. Regardez à nouveau dans un instant.',
  'finding.contract_missing':
    'La demande attend une signature, mais elle n’a pas de contrat. Une réinitialisation en établit un et l’envoie.',
  'finding.reset_unfinished':
    'L’envoi du contrat a été interrompu : le client n’a rien reçu. Réinitialisez la signature pour continuer.',
  'finding.reset_refused':
    'Le nouveau contrat n’a pas pu être envoyé : le client ne l’a pas reçu. %why% Réinitialisez ensuite à nouveau la signature.',
  'finding.provider_key':
    'Le prestataire de signature refuse notre clé : tant que ESIGN_API_KEY n’est pas correcte, aucun contrat ne peut être envoyé ni vérifié.',
  'finding.provider_down':
    'Le prestataire de signature n’a donné aucune réponse utilisable (%error%). Rien n’est perdu ; vérifiez à nouveau plus tard.',
  'finding.provider_forbids':
    'Le prestataire de signature ne nous permet pas de l’interroger (%error%). Soit ESIGN_API_KEY n’est pas la bonne clé, soit il manque une option au compte.',
  'finding.provider_unrecognised':
    'Le prestataire de signature a répondu 404, mais pas dans son propre format : la réponse vient d’un proxy, ou d’autre chose à l’adresse indiquée dans ESIGN_API_URL. Rien n’est perdu.',
  'finding.signed_late':
    'Le client a signé après la date limite, ou rien ne prouve qu’il l’a fait à temps : le contrat ne compte pas. Mettez-vous d’accord avec le client. Si le contrat doit être maintenu : `%command%`. Sinon, une réinitialisation envoie un nouveau contrat.',
  'finding.foreign_signature':
    'La demande de signature enregistrée pour ce contrat n’est pas la sienne : son nom, son signataire ou sa date de création ne concorde pas. Rien n’en a été repris. Vérifiez dans la console du prestataire d’où elle vient. Si elle est bien à ce client, sous une adresse corrigée puis perdue lors d’une restauration, corrigez de nouveau l’adresse (users set-email) et vérifiez la signature. Sinon, réinitialisez la signature.',
  'finding.second_document_signed':
    'Le client a signé un second document au nom de ce contrat chez le prestataire de signature (%sign%). Il ne compte que si vous l’acceptez. Examinez-le dans la console du prestataire : s’il correspond à ce qui était convenu, acceptez la signature ; sinon, réglez le cas.',
  'finding.second_document_open':
    'Un second document au nom de ce contrat est ouvert chez le prestataire de signature (%sign%) : le client risque de signer le mauvais. Réglez le cas : ce document sera annulé, et l’autre restera valable.',
  'finding.waiting_for_customer':
    'Le contrat est chez le client, qui n’a pas encore signé et peut le faire jusqu’au %date%.',
  'finding.draft_there':
    'Le contrat est encore un brouillon chez le prestataire de signature : le client ne l’a jamais reçu. Une réinitialisation en envoie un nouveau.',
  'finding.status_unknown':
    'Le prestataire de signature indique l’état « %status% ». Il faut agir dans sa console ; rien ne peut être fait ici.',
  'finding.signature_not_asked':
    'À notre connaissance, le client n’a pas encore signé ; le prestataire de signature n’a pas été interrogé.',
  'finding.sign_link_over':
    'Le client n’a pas signé, et le lien de signature a expiré. Affichez le contrat pour obtenir un nouveau lien à donner au client.',
  'finding.ended_declined':
    'Le client a refusé le contrat. Si les travaux sont toujours souhaités, une réinitialisation en envoie un nouveau.',
  'finding.ended_declined_because':
    'Le client a refusé le contrat : « %reason% ». Si les travaux sont toujours souhaités, une réinitialisation en envoie un nouveau.',
  'finding.ended_canceled':
    'Le contrat a été annulé chez le prestataire de signature. Une réinitialisation en envoie un nouveau.',
  'finding.ended_signer_error':
    'Une erreur s’est produite chez le prestataire de signature pendant que le client signait ; le prestataire annule alors le contrat. Le document est peut-être endommagé. Une réinitialisation envoie un nouveau contrat.',
  'finding.ended_rejected':
    'Le contrat a été rejeté chez le prestataire de signature. Une réinitialisation en envoie un nouveau.',
  'finding.ended_deleted':
    'Le contrat a été supprimé chez le prestataire de signature. Une réinitialisation en envoie un nouveau.',
  'finding.ended_expired':
    'Le délai de signature est écoulé chez le prestataire de signature. Une réinitialisation envoie un nouveau contrat.',
  'finding.ended_not_found':
    'Le prestataire de signature ne connaît plus ce contrat. Une réinitialisation en envoie un nouveau.',
  'finding.ended_but_ongoing':
    '%why%. Le prestataire de signature indique pourtant que le contrat peut encore y être signé ; une telle signature ne compterait pas. Une réinitialisation l’y annule et en envoie un nouveau.',
  'finding.ended_date_passed':
    'La date limite de signature est passée, et le client n’avait pas signé. Une réinitialisation envoie un nouveau contrat.',
  'finding.ended_reset':
    'Le contrat a été clos par une réinitialisation, et aucun nouveau n’a été envoyé. Une réinitialisation en envoie un.',
  'finding.completion_failed':
    'Le client a signé et le webhook est arrivé, mais le contrat signé n’a pas pu être enregistré, et toutes les tentatives sont épuisées : %error%. Corrigez la cause, puis relancez la tâche.',
  'finding.completion_retrying':
    'Le client a signé et le webhook est arrivé, mais le contrat signé n’a pas encore pu être enregistré : %error%. Une nouvelle tentative aura lieu automatiquement ; `jobs push` réessaie tout de suite.',
  'explain.mend': 'Une vérification met la demande à jour.',
  'explain.mend.soon':
    'La vérification groupée mettra la demande à jour, le %date% ; une vérification le fait tout de suite.',
  'finding.webhook_lost':
    'Le client a signé, mais le webhook du prestataire de signature ne nous est jamais parvenu. %mend%',
  'finding.webhook_wrong_signature':
    'Le client a signé, mais le webhook a été rejeté, car sa signature était incorrecte : le secret chez le prestataire de signature n’est pas celui de ESIGN_WEBHOOK_SECRET. Une vérification met cette demande à jour ; corrigez le secret pour les suivantes.',
  'finding.webhook_turned_away': 'Le client a signé, mais le webhook a été rejeté. %mend%',
  'finding.payment_job_failed':
    'Le contrat est signé, mais le lien de paiement n’a pas pu être créé, et toutes les tentatives sont épuisées : %error%. Corrigez la cause, puis relancez la tâche.',
  'finding.payment_job_retrying':
    'Le contrat est signé, mais le lien de paiement n’a pas encore pu être créé : %error%. Une nouvelle tentative aura lieu automatiquement ; `jobs push` réessaie tout de suite.',
  'price.least': 'Le prestataire de paiement n’accepte pas moins de %amount%.',
  'price.step': 'Le prestataire de paiement n’accepte que des multiples de %amount%.',
  'finding.start_unpayable':
    'Le prix de %price% ne peut pas être payé : le contrat n’est donc pas envoyé. %fault% Faites une autre offre pour la demande, puis lancez la signature.',
  'finding.sent_unpayable':
    'Le contrat est chez le client, mais son prix de %price% ne peut pas être payé. %fault% Faites une autre offre pour la demande, puis réinitialisez la signature : un contrat au nouveau prix sera envoyé.',
  'finding.payment_unpayable':
    'Le contrat est signé, mais son prix de %price% ne peut pas être payé en ligne. %fault% Convenez avec le client d’un autre moyen de paiement, puis terminez la demande à la main.',
  'finding.payment_missing':
    'Le contrat est signé, mais il n’y a pas de lien de paiement, et aucun n’est en préparation. Le renouvellement en crée un et l’envoie.',
  'finding.payment_gone':
    'Le prestataire de paiement ne connaît plus le lien de paiement. Le renouvellement en crée un nouveau et l’envoie.',
  'finding.payment_key':
    'Le prestataire de paiement refuse notre clé : tant que ESIGN_PAYMENT_API_KEY n’est pas correcte, aucun lien de paiement ne peut être créé ni vérifié.',
  'finding.payment_down':
    'Le prestataire de paiement ne répond pas (%error%). Rien n’est perdu ; vérifiez à nouveau plus tard.',
  'finding.payment_not_asked':
    'À notre connaissance, le client n’a pas encore payé ; le prestataire de paiement n’a pas été interrogé.',
  'finding.payment_pending':
    'Le client a payé par un moyen qui prend quelques jours, et l’argent est en route. Il n’y a qu’à attendre ; une vérification demande s’il est arrivé.',
  'finding.payment_pending_since':
    'Le client a payé par un moyen qui prend quelques jours : l’argent est en route depuis le %date%. Il n’y a qu’à attendre ; une vérification demande s’il est arrivé.',
  'finding.payment_pending_long':
    'Le client a payé, mais l’argent est en route depuis le %date%, plus longtemps qu’il n’en faut aux banques. Une vérification interroge à nouveau le prestataire. Si la console du prestataire de paiement indique un échec, « %command% » crée un nouveau lien.',
  'finding.payment_pending_gone':
    'L’argent du client est en route depuis le %date%, et le prestataire de paiement ne connaît plus ce paiement : ESIGN_PAYMENT_API_KEY appartient peut-être à un autre compte. Aucun nouveau lien n’est créé tant que ce point n’est pas éclairci, pour que personne ne paie deux fois. Si le compte est le bon et que sa console ne montre pas ce paiement, « %command% » crée un nouveau lien.',
  'finding.payment_over':
    'La page de paiement a expiré, et aucun paiement n’a été signalé. Le lien de l’e-mail envoyé au client en ouvre une nouvelle ; le renouvellement en crée une tout de suite et renvoie le lien.',
  'finding.payment_settled':
    'Le cas du paiement qui ne comptait pas est clos, et il n’y a pas de page de paiement pour le moment. Le lien dans l’e-mail du client ouvre une nouvelle page ; le renouvellement en crée une tout de suite et renvoie le lien.',
  'finding.payment_refused':
    'La banque a refusé le paiement. Le renouvellement donne au client un nouveau lien pour réessayer.',
  'finding.waiting_for_payment':
    'Le contrat est signé, et le client a un lien de paiement valable mais n’a pas encore payé.',
  'finding.paid_webhook_lost':
    'Le client a payé, mais le webhook du prestataire de paiement ne nous est jamais parvenu. %mend%',
  'finding.paid_webhook_off':
    'Le client a payé, mais les webhooks de paiement sont désactivés : ESIGN_PAYMENT_WEBHOOK_SECRET n’est pas défini. Une vérification met cette demande à jour.',
  'finding.paid_webhook_wrong_signature':
    'Le client a payé, mais le webhook a été rejeté, car sa signature était incorrecte : le secret chez le prestataire de paiement n’est pas celui de ESIGN_PAYMENT_WEBHOOK_SECRET. Une vérification met cette demande à jour ; corrigez le secret pour les suivantes.',
  'finding.paid_webhook_thin':
    'Le client a payé, mais le webhook a été rejeté, car il ne dit pas ce qui a été payé : le point de terminaison chez le prestataire de paiement est configuré pour des contenus allégés (« thin »). Passez-le aux contenus complets (« snapshot »). Une vérification met cette demande à jour.',
  'finding.old_session_paid':
    'Le client a payé, mais par un lien périmé (%payments%). Si le paiement doit être accepté, terminez la demande à la main ; sinon, remboursez-le et lancez « %command% ».',
  'finding.other_price':
    'Le client a payé, mais pas le prix de %price% : %payments%. Le paiement n’a pas été pris en compte. S’il doit être accepté, terminez la demande à la main ; sinon, remboursez-le chez le prestataire de paiement et lancez « %command% ».',
  'finding.other_price_there':
    'D’après le prestataire de paiement, le client a payé %paid% au lieu de %price%. Lancez une vérification pour l’enregistrer, puis décidez si ce paiement compte.',
  'finding.several_payments':
    'Plusieurs paiements ne comptent pas et attendent une décision : %payments%. Terminer la demande à la main accepte %accepted% ; remboursez ensuite les autres. Si aucun ne doit être accepté, remboursez-les tous et lancez « %command% ».',
  'finding.payment_undecided':
    'Un paiement qui ne compte pas attend une décision, mais l’argent d’un autre paiement est encore en route. Attendez que cet argent soit arrivé ou que ce paiement ait échoué ; une vérification interroge le prestataire de paiement.',
  'finding.paid_unsigned':
    'Le client a payé, mais aucune signature n’est connue ici ; après une restauration, elle peut manquer. Vérifiez la signature : si le contrat est signé, le paiement compte.',
  'finding.paid_twice':
    'La demande est terminée, et le client a payé plus qu’il ne devait. Remboursez %payments% chez le prestataire de paiement, puis réglez le cas avec un motif.',
  'finding.earlier_contract_paid':
    'Le client a payé, mais ce paiement ne compte pas : il a été fait pour un contrat précédent, ou son montant ou sa devise ne correspond pas au prix. S’il doit être accepté, attendez que le prochain contrat soit signé, puis terminez la demande à la main. Sinon, remboursez %payments% chez le prestataire de paiement et réglez le cas avec un motif. D’ici là, le client ne reçoit aucun lien de paiement.',
  'finding.second_payment_pending':
    'L’argent d’un paiement qui ne compte pas est en route depuis le %date%. S’il arrive, le bureau reçoit un e-mail et décide s’il faut le rembourser.',
  'finding.canceled':
    'La demande est annulée. Si les travaux sont finalement souhaités, `%command%` la remet à l’état nouveau.',
  'finding.canceled_erased': 'La demande est annulée, et les données du client ont été effacées.',
  'finding.canceled_signed':
    'Le client a signé le contrat après l’annulation de la demande. La signature ne compte pas. Parlez-en au client ; puis rouvrez la demande (`%command%`), ou réglez le cas avec un motif.',
  'finding.canceled_paid':
    'La demande est annulée, mais le client a payé. Remboursez %payments% chez le prestataire de paiement et réglez le cas avec un motif. Ou bien convenez des travaux avec le client, rouvrez la demande (`%command%`) et, une fois le nouveau contrat signé, terminez-la à la main : le paiement est alors accepté.',
  'finding.canceled_signed_erased':
    'Le client a signé le contrat après l’annulation de la demande. La signature ne compte pas, et les données du client ont été effacées. Réglez le cas avec un motif.',
  'finding.canceled_paid_erased':
    'La demande est annulée et les données du client ont été effacées, mais le client a payé. Remboursez %payments% chez le prestataire de paiement et réglez le cas avec un motif.',
  'finding.finished': 'La demande est terminée.',
  'finding.old_contract_signed':
    'Le client a signé le contrat %old%, qu’une réinitialisation avait déjà remplacé par le contrat %contract% ; seul celui-ci compte. Donnez au client son lien, que la commande affiche.',
  'finding.contract_replaced':
    'Le client a signé le contrat %old%, et le contrat %contract% l’a remplacé depuis ; seul celui-ci compte. Expliquez-le au client et envoyez-lui le lien du nouveau contrat, que la commande affiche.',
  'finding.pdf_missing':
    'Le PDF signé du contrat %contract% n’est plus sur le disque. La commande le récupère chez le prestataire de signature.',
  'finding.pdf_damaged':
    'Le PDF signé du contrat %contract% sur le disque n’est pas celui qui a été enregistré : il a été abîmé ou modifié. La commande le récupère chez le prestataire de signature.',
  'finding.subscription_disabled':
    'Le webhook %webhook% n’a pas signalé cette demande : il a été désactivé, car son destinataire échouait sans cesse ou a répondu qu’il n’existe plus. Réactivez-le quand le destinataire fonctionne à nouveau.',
  'finding.delivery_missed':
    'Des webhooks sortants sur cette demande ne sont jamais arrivés, car le webhook était désactivé : livraison %deliveries%. Ils peuvent être renvoyés.',
  'finding.mail_refused':
    'Le serveur de messagerie refuse cette adresse : %names% (%error%). Prévenez le destinataire autrement, et relancez la tâche quand l’adresse fonctionne.',
  'finding.mail_address':
    'Le serveur de messagerie refuse l’adresse du client : %names% (%error%). Corrigez-la avec la commande ci-dessous : les e-mails refusés sont alors renvoyés.',
  'finding.mail_server':
    'Le serveur de messagerie refuse tous nos messages, dont : %names% (%error%). L’adresse du client n’est pas en cause.',
  'finding.signer_refused':
    'Le prestataire de signature n’a pas pu remettre son e-mail à l’adresse du client. Corrigez-la avec la commande ci-dessous : le prestataire renvoie alors le lien.',
  'finding.signer_differs':
    'L’adresse du client a été corrigée, mais le prestataire de signature a toujours l’ancienne, %old% (%error%). La commande ci-dessous réessaie ; si le prestataire refuse de la changer, réinitialisez la signature.',
  'finding.jobs_failed': 'Échec définitif : %names% (%error%). Corrigez la cause, puis relancez.',
  'finding.jobs_retrying':
    'Pas encore fait : %names% (%error%). Une nouvelle tentative aura lieu automatiquement ; `jobs push` réessaie tout de suite.',
  'finding.daemon_down':
    'Des tâches attendent, mais esignd ne tourne pas. Démarrez-le, ou exécutez-les tout de suite avec la commande ci-dessous.',
  'finding.held':
    'Les données ont été restaurées et sont en attente de reprise : rien n’est envoyé avant leur comparaison avec les prestataires.',
  'finding.deliveries_turned_away':
    'Webhooks concernant cette demande et rejetés, car leur signature était incorrecte : %count%.',
  'timeline.asked.known': 'Réponse actuelle du %source% : %status%',
  'timeline.asked.gone': 'Le %source% répond qu’il ne connaît pas ce dossier',
  'asked.signature.draft': 'un brouillon, jamais envoyé',
  'asked.signature.approval': 'en attente d’approbation',
  'asked.signature.ongoing': 'pas encore signé',
  'asked.signature.done': 'signé',
  'asked.signature.declined': 'refusé par le client',
  'asked.signature.rejected': 'rejeté lors de l’approbation',
  'asked.signature.canceled': 'annulé',
  'asked.signature.expired': 'expiré',
  'asked.signature.deleted': 'supprimé',
  'asked.check_payment_success': 'payé',
  'asked.check_payment_info.open': 'pas encore payé',
  'asked.check_payment_info.pending': 'payé, l’argent est encore en route',
  'asked.check_payment_info.expired': 'la page de paiement a expiré',
  'timeline.asked.silent': 'Le %source% n’a donné aucune réponse utilisable',
} as const;
