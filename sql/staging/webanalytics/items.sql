-- Web analytics report on items -> one row per vendor row.
-- Grain: day x item; an item with two names is two rows; `_segment` distinguishes them, as it does for other
-- dimensions.
-- Follows [V3.3]: `itemPurchaseQuantity` is the older name of units bought; [D40].

select
    file_no,
    position,
    report_day(dimension['date']) as date,
    dimension['itemId'] as item_id,
    dimension['itemName'] as item_name,
    metric['itemsViewed'] as items_viewed,
    metric['itemsAddedToCart'] as items_added_to_cart,
    metric['itemsCheckedOut'] as items_checked_out,
    coalesce(metric['itemsPurchased'], metric['itemPurchaseQuantity']) as items_purchased,
    metric['itemRevenue'] as item_revenue,
    further as _segment,
    refusal as _reject
from report_rows(['date', 'itemId'])
