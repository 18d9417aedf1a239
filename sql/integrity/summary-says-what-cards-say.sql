-- /acquisition/summary and /cards return the same figures over the same days [D31]; a figure that is not available is
-- null in one and 0 in the other.

select summary.*, cards.*
from acquisition_summary as summary
cross join profitability_cards as cards
where period_start() is not null
    and (
        summary.investment.value <> cards.investment
        or summary."acquisitionInvestment".value <> cards."acquisitionInvestment"
        or summary."acquisitionNewCustomers".value <> cards."acquisitionNewCustomers"
        or summary."newCustomers".value <> cards."newCustomers"
        or summary."acquisitionNewCustomers".value > summary."newCustomers".value
        or summary.cac.value <> cards."acquisitionCac"
        or (summary.cac.value is null)
            <> (cards."acquisitionInvestment" = 0 or cards."acquisitionNewCustomers" = 0)
        or summary."acquisitionAvgLtv".value <> cards."acquisitionLtv"
        or summary."acquisitionLtvCacRatio".value is distinct from cards."acquisitionLtvCacRatio"
        or summary."acquisitionRoi".value <> cards."acquisitionRoi"
        or summary."hasAcquisitionClassification" <> cards."hasAcquisitionClassification"
        or summary."paybackMonths"."changePct" is not null
    )
