export const EarnAndLoans = () => <p className="empty">EarnAndLoans</p>;
