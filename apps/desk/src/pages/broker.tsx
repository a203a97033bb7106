export const Broker = () => <p className="empty">Broker</p>;
